'use client'
import { useMemo, useState } from 'react'

export type Selection<Row> = {
  ids: ReadonlySet<string>
  rows: readonly Row[]
  isAll: boolean
  toggle: (id: string) => void
  toggleAll: () => void
  clear: () => void
}

/** Which rows are selected. A row that leaves the list leaves the selection with it. */
export function useSelection<Row extends { id: string }>(rows: readonly Row[]): Selection<Row> {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const selected = useMemo(() => rows.filter((row) => chosen.has(row.id)), [rows, chosen])
  const ids = useMemo(() => new Set(selected.map((row) => row.id)), [selected])
  const isAll = rows.length > 0 && selected.length === rows.length
  const toggle = (id: string) => {
    const next = new Set(ids)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  const toggleAll = () => setChosen(isAll ? new Set() : new Set(rows.map((row) => row.id)))
  return { ids, rows: selected, isAll, toggle, toggleAll, clear: () => setChosen(new Set()) }
}
