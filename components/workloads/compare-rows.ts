import type { State } from '@/domain/states'
import type { WorkloadView } from '@/domain/views'
import { classWords } from './class-label'
import type { ColumnId } from './columns'
import { whatDiffers } from './words'

/** The order in which states need eyes: what waits for someone first, what is over last. */
const STATE_ORDER: Record<State, number> = {
  ...{ failed: 0, lost: 1, queued: 2, provisioning: 3, running: 4, paused: 5 },
  ...{ parking: 6, parked: 7, removing: 8, canceled: 9, removed: 10 },
}

/** What each column is sorted by; numbers by size, text by letters, null last. */
const KEYS: Record<Exclude<ColumnId, 'use'>, (workload: WorkloadView) => number | string | null> = {
  state: ({ state }) => STATE_ORDER[state],
  name: ({ name }) => name,
  reason: (workload) => whatDiffers(workload, 0).text,
  kind: ({ kind }) => kind,
  machine: ({ placement, reach }) => placement?.machineName ?? reach?.machineName ?? null,
  class: ({ spec, placement }) => classWords(spec, placement).text,
  owner: ({ ownerName }) => ownerName,
  cpus: ({ spec }) => spec.cpus,
  memory: ({ spec }) => spec.memoryBytes,
  opened: ({ lastOpenedAt }) => (lastOpenedAt ? -lastOpenedAt.getTime() : null),
  age: ({ createdAt }) => -createdAt.getTime(),
}

const keyOf = (id: ColumnId, workload: WorkloadView) => (id === 'use' ? null : KEYS[id](workload))

/** Which of two rows comes first in a column; what has no value comes last, whichever way it is sorted. Pure. */
export function compareBy(id: ColumnId, [a, b]: readonly [WorkloadView, WorkloadView], isDescending: boolean): number {
  const [left, right] = [keyOf(id, a), keyOf(id, b)]
  if (left === null || right === null) return (left === null ? 1 : 0) - (right === null ? 1 : 0)
  const order = typeof left === 'string' ? left.localeCompare(String(right), 'en', { numeric: true }) : left - Number(right)
  return isDescending ? -order : order
}
