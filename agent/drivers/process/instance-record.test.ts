import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { instancePaths } from '../../host/host-launch'
import { sampleSpec } from '../../testing/sample-spec'
import { type InstanceRecord, openInstanceStore } from './instance-record'

let dataDir = ''
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'rec-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const store = () => openInstanceStore(dataDir)
const workload = sampleSpec()

/** The n-th start of one workload, parked, with something printed. */
async function parked(n: number, over: Partial<InstanceRecord> = {}): Promise<InstanceRecord> {
  const spec = { ...sampleSpec(), workloadId: workload.workloadId, workloadGen: n }
  const record: InstanceRecord = { spec, bootId: 'b', phase: 'stopped', code: 'ok', subject: null, ...over }
  await store().write(record)
  const paths = instancePaths(store().dir(record.spec.placementId))
  for (const dir of [paths.recordDir, paths.serviceDir, paths.etcDir]) mkdirSync(dir, { recursive: true })
  for (const file of [join(paths.recordDir, '0.seg'), paths.buildLog, paths.launchFile, paths.seccompFile])
    writeFileSync(file, 'bytes')
  return record
}

describe('a full disk', () => {
  it.runIf(process.getuid?.() === 0)('X43: hides no failure and holds up no end; both are kept once there is room', async () => {
    const tool = (...[name = '', ...args]: string[]) => execFileSync(name, args)
    tool('mount', '-t', 'tmpfs', '-o', 'size=64k', 'none', dataDir)
    try {
      const own = store()
      const record: InstanceRecord = { spec: workload, bootId: 'b', phase: 'starting', code: 'ok', subject: null }
      await own.write(record)
      expect(() => writeFileSync(join(dataDir, 'filling'), Buffer.alloc(1 << 20))).toThrow('ENOSPC')
      await expect(own.write({ ...record, phase: 'up' })).rejects.toThrow('ENOSPC')
      await own.write({ ...record, phase: 'failed', code: 'disk_full' })
      expect((await own.list())[0]).toMatchObject({ phase: 'failed', code: 'disk_full' })
      await own.write({ ...record, phase: 'stopping' })
      expect((await own.read(workload.placementId))?.phase).toBe('stopping')
      // A write that failed leaves no half a file either.
      expect(readdirSync(own.dir(workload.placementId))).toEqual(['instance.json'])
      rmSync(join(dataDir, 'filling'))
      await own.write({ ...record, phase: 'stopped' })
      expect((await store().list())[0]?.phase).toBe('stopped')
    } finally {
      tool('umount', dataDir)
    }
  })
})

describe('what a parked instance printed', () => {
  it('stays to be read when the driver forgets it, and nothing else stays', async () => {
    const record = await parked(1)
    await store().forget(record)
    const dir = store().dir(record.spec.placementId)
    expect(readdirSync(dir).sort()).toEqual(['instance.json', 'log', 'record'])
    expect([await store().list(), await store().read(record.spec.placementId)]).toEqual([[], null])
  })

  it('is bounded: the newest five starts of a workload, another workload untouched', async () => {
    const records = []
    for (let n = 1; n <= 7; n++) records.push(await parked(n))
    const other = await parked(1, { spec: sampleSpec() })
    for (const record of [...records, other]) await store().forget(record)
    expect(records.map((r) => existsSync(store().dir(r.spec.placementId)))).toEqual([false, false, true, true, true, true, true])
    expect(existsSync(store().dir(other.spec.placementId))).toBe(true)
  })

  it('is erased with its workload, and at once when it was removed', async () => {
    const [one, two] = [await parked(1), await parked(2, { phase: 'removed' })]
    const other = await parked(1, { spec: sampleSpec() })
    for (const record of [one, other]) await store().forget(record)
    await store().eraseKept(workload.workloadId)
    await store().forget(two)
    expect(readdirSync(join(dataDir, 'instances'))).toEqual([other.spec.placementId])
  })
})
