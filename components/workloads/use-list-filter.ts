'use client'
import { createParser, parseAsArrayOf, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { KIND_NAMES } from '@/domain/kinds'
import { COLUMN_IDS, type ColumnId, type Sort, sortOf, sortText, USUAL_COLUMNS } from './columns'
import { type ListFilter, VIEW_NAMES } from './views'

const PARSERS = {
  view: parseAsStringLiteral(VIEW_NAMES).withDefault('live'),
  kind: parseAsStringLiteral(KIND_NAMES),
  text: parseAsString.withDefault(''),
  sort: createParser({ parse: sortOf, serialize: sortText, eq: (a, b) => sortText(a) === sortText(b) }),
  columns: parseAsArrayOf(parseAsStringLiteral(COLUMN_IDS))
    .withDefault([...USUAL_COLUMNS])
    .withOptions({ clearOnDefault: true }),
}
const KEYS = { text: 'q', columns: 'cols' }
const TYPING_MS = 250

/** How the rows are shown; none of it is asked of the server. */
export type ListLook = { sort: Sort | null; columns: readonly ColumnId[] }
type Change = Partial<ListFilter & { sort: Sort | null; columns: ColumnId[] }>

/** The filter and look of the list, kept in the URL: a link shows the same rows, and Back goes back. */
export function useListFilter(): [ListFilter & ListLook, (change: Change) => void] {
  const [filter, setFilter] = useQueryStates(PARSERS, { urlKeys: KEYS })
  const change = (next: Change) => {
    const isLook = next.text !== undefined || next.sort !== undefined || next.columns !== undefined
    void setFilter(next, isLook ? { history: 'replace', throttleMs: TYPING_MS } : { history: 'push' })
  }
  return [filter, change]
}
