import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { EgressClient } from '../egress-client'
import type { Cgroups } from '../limits/cgroups'
import { isBuilt, makeBuildFolder, markComplete, sweepBuilds } from './build-folder'
import { environmentKey } from './environment-plan'
import { pruneEnvironments } from './prune'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'env-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const key = (n: number) => n.toString(16).padStart(40, '0')
function environment(n: number): string {
  const path = join(folder, key(n))
  mkdirSync(join(path, 'bin'), { recursive: true })
  utimesSync(path, n, n)
  return path
}
/** What a sweep takes away beside files. */
function swept() {
  const dropped: string[] = []
  const egress: Pick<EgressClient, 'drop'> = { drop: async (id) => void dropped.push(id) }
  const cgroups: Pick<Cgroups, 'remove'> = { remove: async (id) => void dropped.push(id) }
  return { dropped, deps: { egress, cgroups } }
}

describe('environments', () => {
  it('are pruned by least recent use beyond the bound, never one that is used, was just used, or is something else', async () => {
    const paths = [1, 2, 3, 4, 5, 6].map(environment)
    writeFileSync(join(folder, 'not-an-environment'), '')
    const isUsed = async (path: string) => path === paths[0]
    expect(await pruneEnvironments(folder, { countMax: 3, usedSinceMs: 3000, isUsed })).toEqual([key(2)])
    expect(readdirSync(folder).sort()).toEqual([...[1, 3, 4, 5, 6].map(key), 'not-an-environment'].sort())
  })

  it('are not pruned when they are taken into use while others are asked about them', async () => {
    const [path = ''] = [1, 2].map(environment)
    const isUsed = async () => {
      utimesSync(path, 4000, 4000)
      return false
    }
    expect(await pruneEnvironments(folder, { countMax: 1, usedSinceMs: 3_000_000, isUsed })).toEqual([])
    expect(readdirSync(folder).sort()).toEqual([1, 2].map(key))
  })

  it('are another for another tenant, content, Python or tool, and the same in any order of packages', () => {
    const interpreter = { path: '/usr/bin/python3.11', version: '3.11.2', hasVenv: true }
    const spec = { role: 'kernel' as const, tenantId: 'a', packages: ['b', 'c'], interpreter, uv: null, isPlain: false }
    const others = [
      { ...spec, tenantId: 'b' },
      { ...spec, packages: ['b', 'c>1'] },
      { ...spec, interpreter: { ...interpreter, version: '3.11.3' } },
      { ...spec, uv: { path: '/u', version: '1' } },
      { ...spec, isPlain: true },
      { ...spec, role: 'server' as const },
    ]
    expect(new Set([spec, ...others].map(environmentKey)).size).toBe(others.length + 1)
    expect(environmentKey({ ...spec, packages: ['c', 'b'] })).toBe(environmentKey(spec))
  })

  it('X14: that were begun in place by an agent that was killed are gone before anybody looks for them', async () => {
    const [half, whole] = [join(folder, key(7)), join(folder, key(8))]
    const { temporary, id } = await makeBuildFolder(half, { isInPlace: true })
    for (const target of [half, whole]) mkdirSync(target)
    await markComplete(whole)
    expect([isBuilt(half, true), isBuilt(whole, true)]).toEqual([false, true])
    const { dropped, deps } = swept()
    await sweepBuilds(deps, folder)
    expect(readdirSync(folder)).toContain(key(7)) // its agent, this process, lives
    const dead = temporary.replace(`.build-${process.pid}-`, '.build-999999999-')
    mkdirSync(dead)
    writeFileSync(join(dead, 'target'), key(7))
    rmSync(temporary, { recursive: true })
    mkdirSync(join(folder, `.pruned-${key(9)}-1`))
    await sweepBuilds(deps, folder)
    expect(readdirSync(folder)).toEqual([key(8)])
    expect(dropped).toEqual([id, id])
  })
})
