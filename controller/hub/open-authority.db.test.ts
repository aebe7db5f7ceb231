import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from '@/kit/clock'
import { eachProvider } from '@/testing/databases'
import { openAuthority } from './open-authority'

eachProvider('X12: the authority of an installation', (get) => {
  let folder = ''
  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'berth-ca-'))
    await get().installation.updateMany({ data: { caPem: null } })
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const open = () => openAuthority({ db: get(), keyFile: path.join(folder, 'keys/ca.key'), clock: systemClock })
  const stored = async () => (await get().installation.findFirstOrThrow()).caPem

  it('whose key is gone, broken or another one stops the start, and nothing is made in its place', async () => {
    const first = await open()
    const keyFile = path.join(folder, 'keys/ca.key')
    const key = readFileSync(keyFile)
    renameSync(keyFile, `${keyFile}.away`)
    await expect(open()).rejects.toThrow(`${keyFile} is missing: bring it back from a backup that has keys`)
    expect(existsSync(keyFile)).toBe(false)
    writeFileSync(keyFile, key.subarray(0, 40))
    await expect(open()).rejects.toThrow(`${keyFile} cannot be read`)
    rmSync(path.join(folder, 'keys'), { recursive: true })
    await get().installation.updateMany({ data: { caPem: null } })
    await open() // another installation's key
    await get().installation.updateMany({ data: { caPem: first.pem } })
    await expect(open()).rejects.toThrow(`${keyFile} is not the key of this installation's certificate`)
    expect(await stored()).toBe(first.pem)
    writeFileSync(keyFile, key)
    expect((await open()).pem).toBe(first.pem)
  })
})
