'use client'
import { type KeyboardEvent, useRef, useState } from 'react'

type Keys = { ids: readonly string[]; onOpen: (id: string) => void; onToggle: (id: string) => void; onClear: () => void }

const MOVES: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  j: (at, last) => Math.min(at + 1, last),
  k: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_at, last) => last,
}

/**
 * One row of a table takes part in Tab; arrows, j and k, Home and End move between rows, Enter opens, Space selects,
 * Escape clears. Focus stays with its row while rows come and go.
 */
export function useRowKeys({ ids, onOpen, onToggle, onClear }: Keys) {
  const [current, setCurrent] = useState<string | null>(null)
  const rows = useRef(new Map<string, HTMLElement>())
  const tabbable = current !== null && ids.includes(current) ? current : ids[0]

  const onKeyDown = (id: string) => (event: KeyboardEvent<HTMLElement>) => {
    // Keys of a control inside the row (its menu, its checkbox) are that control's.
    if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey) return
    const move = MOVES[event.key]
    const act = move ? () => rows.current.get(ids[move(ids.indexOf(id), ids.length - 1)] ?? id)?.focus() : actOf(event.key, id)
    if (!act) return
    event.preventDefault()
    act()
  }

  const actOf = (key: string, id: string): (() => void) | null => {
    if (key === 'Enter') return () => onOpen(id)
    if (key === ' ' || key === 'x') return () => onToggle(id)
    return key === 'Escape' ? onClear : null
  }

  return (id: string) => ({
    tabIndex: id === tabbable ? 0 : -1,
    ref: (element: HTMLElement | null) => {
      if (element) rows.current.set(id, element)
      else rows.current.delete(id)
    },
    onFocus: () => setCurrent(id),
    onKeyDown: onKeyDown(id),
  })
}
