type ColumnRow = {
  label: string
  /** Width of the column; the reason takes what is left. */
  width: string
  isNumber?: true
  /** Shown unless somebody chose otherwise. */
  isUsual?: true
  /** Stays: a row without it cannot be told. */
  isFixed?: true
  /** It changes all the time: rows that are sorted by it would not stand still. */
  isUnsorted?: true
  /** Where there is little room, the reason needs it more. */
  isWideOnly?: true
}

/** The columns of the list, in order. */
export const COLUMNS = {
  state: { label: 'State', width: 'w-46', isUsual: true, isFixed: true },
  name: { label: 'Name', width: 'w-36', isUsual: true, isFixed: true },
  reason: { label: 'Reason', width: '', isUsual: true },
  kind: { label: 'Kind', width: 'w-25', isUsual: true },
  machine: { label: 'Machine', width: 'w-26', isUsual: true },
  class: { label: 'Class', width: 'w-31', isUsual: true },
  owner: { label: 'Owner', width: 'w-24', isUsual: true },
  cpus: { label: 'CPU', width: 'w-14', isNumber: true },
  memory: { label: 'Memory', width: 'w-20', isNumber: true },
  opened: { label: 'Opened', width: 'w-18', isNumber: true },
  age: { label: 'Age', width: 'w-17', isNumber: true, isUsual: true },
  use: { label: 'Use', width: 'w-22', isNumber: true, isUsual: true, isUnsorted: true, isWideOnly: true },
} as const satisfies Record<string, ColumnRow>
export type ColumnId = keyof typeof COLUMNS
export const COLUMN_IDS = Object.keys(COLUMNS) as [ColumnId, ...ColumnId[]]

/** The one row of the table of columns. */
export const rowOf = (id: ColumnId): ColumnRow => COLUMNS[id]

/** Columns that are shown when nobody chose. */
export const USUAL_COLUMNS: readonly ColumnId[] = COLUMN_IDS.filter((id) => rowOf(id).isUsual)
/** Columns that a person may hide or show. */
export const CHOICE_COLUMNS: readonly ColumnId[] = COLUMN_IDS.filter((id) => !rowOf(id).isFixed)

/** What hides a column of the table on narrower screens; empty for most. */
export function roomClass(id: ColumnId): string {
  return rowOf(id).isWideOnly ? 'max-[1400px]:hidden' : ''
}

/** Adds or takes away a column; the order stays that of the table. Pure. */
export function toggleColumn(shown: readonly ColumnId[], id: ColumnId): ColumnId[] {
  return COLUMN_IDS.filter((known) => (known === id ? !shown.includes(id) : shown.includes(known)))
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
  const id = COLUMN_IDS.find((known) => known === text.slice(isDescending ? 1 : 0) && !rowOf(known).isUnsorted)
  return id ? { id, isDescending } : null
}
