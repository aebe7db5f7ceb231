import type { Filter, Funnel, FunnelMachine, FunnelRow } from '@/domain/placement'
import { FILTER_NAMES } from '@/domain/placement'

/** Measures of one drawing, in pixels. */
export type FunnelMeasures = {
  rowPx: number
  machinePx: number
  /** Hairline above and below an open list of machines. */
  borderPx: number
  firstPx: number
  stepPx: number
  widthPx: number
}
export const WIDE: FunnelMeasures = { rowPx: 34, machinePx: 31, borderPx: 1, firstPx: 9, stepPx: 18, widthPx: 160 }
export const NARROW: FunnelMeasures = { rowPx: 40, machinePx: 36, borderPx: 0, firstPx: 8, stepPx: 16, widthPx: 142 }
/** Above this, single lines cannot be told apart: one bar a row instead. */
export const LINES_MAX = 40
/** Half an end mark and its stroke, kept free at the right edge. */
const EDGE_PX = 6

export type LayoutRow = {
  row: FunnelRow
  topPx: number
  /** The filter at which nothing was left: the request waits here. */
  stops: boolean
  /** After the stop: nobody reached it. */
  isAfter: boolean
  isOpen: boolean
  dropped: readonly FunnelMachine[]
}
export type LayoutLine = {
  machine: FunnelMachine
  x: number
  /** Middles of the rows it passed. */
  dots: readonly number[]
  /** Middle of its end mark; for a machine that fits, the bottom of the drawing. */
  endY: number
  fits: boolean
  /** Got furthest of all: drawn in the accent colour. */
  isFurthest: boolean
}
export type FunnelLayout = { rows: readonly LayoutRow[]; lines: readonly LayoutLine[]; heightPx: number }

/** Where every row and line of the funnel is drawn: one line a machine, ending where it was dropped, deepest first. Pure. */
export function layOutFunnel(funnel: Funnel, open: ReadonlySet<Filter>, measures: FunnelMeasures): FunnelLayout {
  const rows = layOutRows(funnel, open, measures)
  const last = rows.at(-1)
  const heightPx = last === undefined ? 0 : last.topPx + rowHeight(last, measures)
  const ordered = [...funnel.machines].sort((a, b) => depth(b) - depth(a) || placeInRow(rows, a) - placeInRow(rows, b))
  const furthest = ordered[0] === undefined ? 0 : depth(ordered[0])
  const room = measures.widthPx - measures.firstPx - EDGE_PX
  const stepPx = Math.min(measures.stepPx, ordered.length > 1 ? room / (ordered.length - 1) : measures.stepPx)
  const lines = ordered.map((machine, index) => ({
    machine,
    x: Math.round((measures.firstPx + index * stepPx) * 10) / 10,
    dots: rows.filter((r) => filterIndex(r.row.filter) < depth(machine)).map((r) => r.topPx + measures.rowPx / 2),
    endY: lineEnd(rows, machine, measures) ?? heightPx,
    fits: machine.droppedBy === null,
    isFurthest: depth(machine) === furthest,
  }))
  return { rows, lines, heightPx }
}

/** The filter at which nothing was left, or null when at least one machine fits or there is none at all. */
export function stoppingFilter(funnel: Funnel): Filter | null {
  if (funnel.chosen !== null) return null
  let left = funnel.machines.length
  for (const filter of FILTER_NAMES) {
    const before = left
    left -= funnel.machines.filter((m) => m.droppedBy === filter).length
    if (before > 0 && left === 0) return filter
  }
  return null
}

function layOutRows(funnel: Funnel, open: ReadonlySet<Filter>, measures: FunnelMeasures): LayoutRow[] {
  const stop = stoppingFilter(funnel)
  let topPx = 0
  return funnel.rows.map((row) => {
    const dropped = funnel.machines.filter((m) => m.droppedBy === row.filter)
    const isAfter = stop !== null && filterIndex(row.filter) > filterIndex(stop)
    const placed = {
      row,
      topPx,
      stops: row.filter === stop,
      isAfter,
      isOpen: dropped.length > 0 && open.has(row.filter),
      dropped,
    }
    topPx += rowHeight(placed, measures)
    return placed
  })
}

function rowHeight(row: LayoutRow, measures: FunnelMeasures): number {
  return measures.rowPx + (row.isOpen ? row.dropped.length * measures.machinePx + 2 * measures.borderPx : 0)
}

function lineEnd(rows: readonly LayoutRow[], machine: FunnelMachine, measures: FunnelMeasures): number | null {
  const row = rows.find((r) => r.row.filter === machine.droppedBy)
  if (row === undefined) return null
  if (!row.isOpen) return row.topPx + measures.rowPx / 2
  const index = row.dropped.findIndex((m) => m.machineId === machine.machineId)
  return row.topPx + measures.rowPx + measures.borderPx + index * measures.machinePx + measures.machinePx / 2
}

function filterIndex(filter: Filter): number {
  return FILTER_NAMES.indexOf(filter)
}

/** How many filters a machine passed. */
function depth(machine: FunnelMachine): number {
  return machine.droppedBy === null ? FILTER_NAMES.length : filterIndex(machine.droppedBy)
}

function placeInRow(rows: readonly LayoutRow[], machine: FunnelMachine): number {
  const row = rows.find((r) => r.row.filter === machine.droppedBy)
  return row?.dropped.findIndex((m) => m.machineId === machine.machineId) ?? 0
}
