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
