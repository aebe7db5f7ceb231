import type { State } from '@/domain/states'
import type { WorkloadView } from '@/domain/views'
import { classWords } from './class-label'
import { whatDiffers } from './words'

type ColumnRow = {
  label: string
  /** Width of the column; the reason takes what is left. */
  width: string
  isNumber?: true
  /** Shown unless somebody chose otherwise. */
  isUsual?: true
  /** Stays: a row without it cannot be told. */
  isFixed?: true
  /** What it is sorted by; numbers by size, text by letters, null last. */
  key: (workload: WorkloadView) => number | string | null
}

/** The order in which states need eyes: what waits for someone first, what is over last. */
const STATE_ORDER: Record<State, number> = {
  ...{ failed: 0, lost: 1, queued: 2, provisioning: 3, running: 4, paused: 5 },
  ...{ parking: 6, parked: 7, removing: 8, canceled: 9, removed: 10 },
}
const machineOf = ({ placement, reach }: WorkloadView) => placement?.machineName ?? reach?.machineName ?? null

/** The columns of the list, in order. */
export const COLUMNS = {
  state: { label: 'State', width: 'w-46', isUsual: true, isFixed: true, key: ({ state }) => STATE_ORDER[state] },
  name: { label: 'Name', width: 'w-36', isUsual: true, isFixed: true, key: ({ name }) => name },
  reason: { label: 'Reason', width: '', isUsual: true, key: (workload) => whatDiffers(workload, 0).text },
  kind: { label: 'Kind', width: 'w-25', isUsual: true, key: ({ kind }) => kind },
  machine: { label: 'Machine', width: 'w-28', isUsual: true, key: machineOf },
  class: { label: 'Class', width: 'w-33', isUsual: true, key: ({ spec, placement }) => classWords(spec, placement).text },
  owner: { label: 'Owner', width: 'w-24', isUsual: true, key: ({ ownerName }) => ownerName },
  cpus: { label: 'CPU', width: 'w-14', isNumber: true, key: ({ spec }) => spec.cpus },
  memory: { label: 'Memory', width: 'w-20', isNumber: true, key: ({ spec }) => spec.memoryBytes },
  opened: {
    ...{ label: 'Opened', width: 'w-18', isNumber: true },
    key: ({ lastOpenedAt }) => (lastOpenedAt ? -lastOpenedAt.getTime() : null),
  },
  age: { label: 'Age', width: 'w-17', isNumber: true, isUsual: true, key: ({ createdAt }) => -createdAt.getTime() },
} as const satisfies Record<string, ColumnRow>
export type ColumnId = keyof typeof COLUMNS
export const COLUMN_IDS = Object.keys(COLUMNS) as [ColumnId, ...ColumnId[]]

const rowOf = (id: ColumnId): ColumnRow => COLUMNS[id]

/** Columns that are shown when nobody chose. */
export const USUAL_COLUMNS: readonly ColumnId[] = COLUMN_IDS.filter((id) => rowOf(id).isUsual)
/** Columns that a person may hide or show. */
export const CHOICE_COLUMNS: readonly ColumnId[] = COLUMN_IDS.filter((id) => !rowOf(id).isFixed)

/** Adds or takes away a column; the order stays that of the table. Pure. */
export function toggleColumn(shown: readonly ColumnId[], id: ColumnId): ColumnId[] {
  return COLUMN_IDS.filter((known) => (known === id ? !shown.includes(id) : shown.includes(known)))
}

/** Which of two rows comes first in a column; what has no value comes last, whichever way it is sorted. Pure. */
export function compareBy(id: ColumnId, [a, b]: readonly [WorkloadView, WorkloadView], isDescending: boolean): number {
  const [left, right] = [rowOf(id).key(a), rowOf(id).key(b)]
  if (left === null || right === null) return (left === null ? 1 : 0) - (right === null ? 1 : 0)
  const order = typeof left === 'string' ? left.localeCompare(String(right), 'en', { numeric: true }) : left - Number(right)
  return isDescending ? -order : order
}

export type Sort = { id: ColumnId; isDescending: boolean }

/** The next sort of a column at each click: up, down, then as it came. Pure. */
export function nextSort(sort: Sort | null, id: ColumnId): Sort | null {
  if (sort?.id !== id) return { id, isDescending: false }
  return sort.isDescending ? null : { id, isDescending: true }
}

/** `name`, `-age`: a sort as the URL has it. Pure. */
export function sortText(sort: Sort): string {
  return sort.isDescending ? `-${sort.id}` : sort.id
}

/** A sort that the URL asks for; null where it asks for none that there is. Pure. */
export function sortOf(text: string): Sort | null {
  const isDescending = text.startsWith('-')
  const id = COLUMN_IDS.find((known) => known === text.slice(isDescending ? 1 : 0))
  return id ? { id, isDescending } : null
}
