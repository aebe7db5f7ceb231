import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { instancePaths } from '../../host/host-launch'
import { endInstance } from './end-instance'
import { readHost } from './host-control'
import type { InstanceRecord } from './instance-record'
import type { ProcessParts } from './process-parts'

/**
 * What an agent that starts makes of an instance that `stop --all` ended: it is stopped, with its workspace, and nothing
 * broke. One that lives all the same goes on; one that was still being started is started again. Returns its record.
 */
export async function settleEnded(parts: ProcessParts, record: InstanceRecord): Promise<InstanceRecord> {
  const dir = parts.store.dir(record.spec.placementId)
  const { endedFile } = instancePaths(dir)
  if (!existsSync(endedFile)) return record
  const isEnded = record.phase === 'up' && record.bootId === parts.bootId && !readHost(dir, parts.bootId)?.isAlive
  try {
    const settled = isEnded ? await stopped(parts, record) : record
    await rm(endedFile, { force: true })
    return settled
  } catch (error) {
    // The others are found again all the same; the next agent tries once more.
    parts.log.warn('what was ended with Berth could not be cleared away', { placementId: record.spec.placementId, error })
    return record
  }
}

async function stopped(parts: ProcessParts, record: InstanceRecord): Promise<InstanceRecord> {
  await endInstance(parts, record)
  const settled: InstanceRecord = { ...record, phase: 'stopped', code: 'ended_with_berth', subject: null }
  await parts.store.write(settled)
  return settled
}
