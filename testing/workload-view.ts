import type { WorkloadView } from '@/domain/views'
import { NOW } from './candidates'
import { workloadOf } from './workloads'

/** A workload as its owner sees it on a page: a small notebook that runs; nothing is known of its machine. */
export function viewOf(patch: Partial<WorkloadView> = {}): WorkloadView {
  const spec = {
    ...{ runtime: 'jupyterlab', cpus: 1, memoryBytes: 2 ** 31, diskBytes: 0 },
    ...{ gpu: null, machineId: null, command: null, requirements: [], mounts: [], python: null },
  }
  const workload = workloadOf({ kind: 'notebook', state: 'running', workloadGen: 1, stateSince: NOW, createdAt: NOW, spec })
  return { ...workload, may: [], isOwn: true, reach: null, ...patch }
}
