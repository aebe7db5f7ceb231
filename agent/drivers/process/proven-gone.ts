import { isAnyMarked } from '../../host/end-child'
import { marker } from '../../host/host-launch'
import { isAlive } from '../../host/process-table'
import type { LocalInstance } from '../driver'
import type { InstanceRecord } from './instance-record'
import type { Seen } from './observe-instance'

/** Adds to one that failed whether no process of it runs any more: then there is nothing left to look at. */
export function withProof(seen: LocalInstance, record: InstanceRecord, host: Seen['host']): LocalInstance {
  return seen.status === 'failed' ? { ...seen, isGone: isGone(record, host) } : seen
}

/** A sandbox ends with its first process. What had none is found by its marker, wherever it went. */
function isGone({ spec }: InstanceRecord, host: Seen['host']): boolean {
  if (host && mayRun(host)) return false
  return (host !== null && spec.driver === 'process-sandboxed') || !isAnyMarked(marker(spec.placementId))
}

function mayRun({ file }: NonNullable<Seen['host']>): boolean {
  const { childPid, childStart, exitCode } = file
  // Without a first process it never began, or its host died before it could say which one it was.
  if (childPid === null || childStart === null) return exitCode === null
  return isAlive({ pid: childPid, start: childStart })
}
