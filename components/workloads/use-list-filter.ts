'use client'
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { KIND_NAMES } from '@/domain/kinds'
import { type ListFilter, VIEW_NAMES } from './views'

const PARSERS = {
  view: parseAsStringLiteral(VIEW_NAMES).withDefault('live'),
  kind: parseAsStringLiteral(KIND_NAMES),
  text: parseAsString.withDefault(''),
}
const TYPING_MS = 250

/** The filter of the list, kept in the URL: a link shows the same rows, and Back goes back. */
export function useListFilter(): [ListFilter, (change: Partial<ListFilter>) => void] {
  const [filter, setFilter] = useQueryStates(PARSERS, { urlKeys: { text: 'q' } })
  const change = (next: Partial<ListFilter>) => {
    const isTyping = next.text !== undefined
    void setFilter(next, isTyping ? { history: 'replace', throttleMs: TYPING_MS } : { history: 'push' })
  }
  return [filter, change]
}
