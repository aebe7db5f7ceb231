import { doorSocket, doorTokenFile } from '@/protocol/paths'
import { readTextFile } from '../../../json-file'
import type { InstanceRecord } from '../instance-record'
import { shortId } from '../instance-record'
import type { Seen } from '../observe-instance'
import type { ProcessParts } from '../process-parts'
import { lookAtKernels } from './kernel-look'
import { readProcesses } from './process-table'
import { terminalTimes } from './terminal-times'
import { type Subject, UseMeter } from './use-meter'

/** The meter of this machine's instances: control groups where there are some, else the process table. */
export function openMeter({ cgroups, runtimeDir }: Pick<ProcessParts, 'cgroups' | 'runtimeDir'>): UseMeter {
  return new UseMeter({
    nowMs: () => performance.now(),
    counted: (placementId) => cgroups.use(shortId(placementId)),
    processes: readProcesses,
    terminal: terminalTimes,
    kernels: async (placementId) => {
      const secret = await readTextFile(doorTokenFile(runtimeDir, placementId))
      return lookAtKernels({ path: doorSocket(runtimeDir, placementId, 'main'), secret })
    },
  })
}

/** What can be measured of an instance: nothing unless it is up. */
export function subjectsOf(record: InstanceRecord, seen: Omit<Seen, 'measured'>): Subject[] {
  const { host, bootId, isFrozen, isReady } = seen
  if (record.phase !== 'up' || record.bootId !== bootId || !host?.isAlive) return []
  const { placementId, kind } = record.spec
  if (kind !== 'session' && !isReady) return []
  return [{ placementId, kind, pid: host.file.exitCode === null ? host.file.childPid : null, isFrozen }]
}
