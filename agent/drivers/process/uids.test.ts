import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FIRST_UID, openUids } from './uids'

let path = ''
beforeEach(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'uids-')), 'uids.json')
})
afterEach(() => rm(join(path, '..'), { recursive: true, force: true }))

describe('uids of a root agent', () => {
  it('gives each tenant and person one uid, also when all ask at once, and keeps it after a restart', async () => {
    const uids = openUids(path)
    const people = ['a', 'b', 'c', 'd'].flatMap((tenant) => ['x', 'y', 'z'].map((person) => [tenant, person] as const))
    const given = await Promise.all(people.map(([tenant, person]) => uids.of(tenant, person)))
    expect(new Set(given).size).toBe(12)
    expect(Math.min(...given)).toBe(FIRST_UID)
    const again = openUids(path)
    expect(await Promise.all(people.map(([tenant, person]) => again.of(tenant, person)))).toEqual(given)
    expect(given).not.toContain(await again.ofBuilds('a'))
  })

  it('refuses to go on from a damaged file', async () => {
    await writeFile(path, '{"version":1,"next":20')
    await expect(openUids(path).of('a', 'x')).rejects.toThrow()
  })
})
