'use client'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { DeviceCells } from '@/components/machines/device-cells'
import { cn } from '@/components/ui/cn'
import { FILTERS, type Filter, type FunnelMachine } from '@/domain/placement'
import type { MachineView } from '@/domain/views'
import type { LayoutRow } from './funnel-layout'
import { LINES_MAX } from './funnel-layout'

type Known = ReadonlyMap<string, MachineView>
type RowProps = { row: LayoutRow; machines: Known; total: number; onToggle: () => void }

const WIDE_GRID = 'grid grid-cols-[16px_136px_116px_160px_28px_minmax(0,1fr)] items-center gap-2 px-4'
const WIDE_MACHINE_GRID = 'grid grid-cols-[16px_136px_116px_160px_minmax(0,1fr)] items-center gap-2 px-4'
const NARROW_GRID = 'grid grid-cols-[14px_104px_142px_minmax(0,1fr)] items-center gap-2 px-4'
/** Names that are too long for a phone. */
const SHORT: Partial<Record<Filter, string>> = { online: 'Online', runtime: 'Driver' }
/** Cells beyond this do not fit beside the lines; the rest is counted. */
const CELLS_MAX = 8

/** Heads of the wide funnel. */
export function WideHead({ count }: { count: number }) {
  return (
    <div className={cn(WIDE_GRID, 'h-8 border-b border-line bg-sunken text-micro font-medium text-ink-3')} aria-hidden>
      <span />
      <span>Filter</span>
      <span>Asked for</span>
      <span className="whitespace-nowrap">
        {count} {count === 1 ? 'machine' : 'machines, one line each'}
      </span>
      <span className="text-right">Left</span>
      <span className="pl-3">Dropped</span>
    </div>
  )
}

/** One filter on a wide screen, and below it, when open, the machines that it dropped. */
export function WideRow({ row, machines, total, onToggle }: RowProps) {
  const { filter, asked, left, dropped } = row.row
  return (
    <>
      <Toggle row={row} onToggle={onToggle} className={cn(WIDE_GRID, 'h-8.5', row.stops && 'bg-wait-soft')}>
        <Chevron row={row} />
        <span className={cn('truncate', row.isAfter ? 'text-ink-3' : 'font-medium')}>{FILTERS[filter]}</span>
        <span className={cn('truncate text-small', row.isAfter ? 'text-ink-3' : 'text-ink-2')} title={asked}>
          {asked}
        </span>
        <Bar share={total > LINES_MAX ? left / total : null} />
        <Left row={row} />
        <span className="flex min-w-0 items-center gap-2 pl-3 text-small">
          {dropped > 0 ? <span className={cn('num', row.stops ? 'text-wait' : 'text-ink-2')}>−{dropped}</span> : null}
          <span className={cn('truncate', row.stops ? 'font-medium text-wait' : 'text-ink-3')}>{droppedText(row)}</span>
        </span>
      </Toggle>
      {row.isOpen ? (
        <ul className={cn('border-y border-line', row.stops ? 'bg-wait-soft/40' : 'bg-sunken')}>
          {row.dropped.map((machine) => (
            <li key={machine.machineId} className={cn(WIDE_MACHINE_GRID, 'h-7.75')}>
              <span />
              <span className="truncate font-medium">{machine.name}</span>
              <Cells machine={machines.get(machine.machineId)} />
              <span />
              <span className="truncate text-small" title={machine.detail}>
                {machine.detail}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}

/** The same on a phone. */
export function NarrowRow({ row, machines, onToggle }: RowProps) {
  const { filter, dropped } = row.row
  return (
    <>
      <Toggle row={row} onToggle={onToggle} className={cn(NARROW_GRID, 'h-10', row.stops && 'bg-wait-soft')}>
        <Chevron row={row} />
        <span className={cn('truncate', row.stops ? 'font-semibold text-wait' : row.isAfter ? 'text-ink-3' : 'font-medium')}>
          {SHORT[filter] ?? FILTERS[filter]}
        </span>
        <span />
        <span className="flex items-center justify-end gap-1.5">
          {dropped > 0 ? <span className="num text-small text-ink-3">−{dropped}</span> : null}
          <Left row={row} />
        </span>
      </Toggle>
      {row.isOpen ? (
        <ul className={row.stops ? 'bg-wait-soft/40' : 'bg-sunken'}>
          {row.dropped.map((machine) => (
            <li key={machine.machineId} className={cn(NARROW_GRID, 'h-9')}>
              <span />
              <span className="min-w-0">
                <span className="block truncate leading-4 font-medium">{machine.name}</span>
                <span className="block truncate text-micro leading-3.5 text-ink-3">{machine.detail}</span>
              </span>
              <span />
              <span className="flex justify-end overflow-hidden [zoom:0.68]">
                <Cells machine={machines.get(machine.machineId)} />
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}

function Toggle({
  row,
  onToggle,
  className,
  children,
}: {
  row: LayoutRow
  onToggle: () => void
  className: string
  children: React.ReactNode
}) {
  if (row.dropped.length === 0) return <div className={className}>{children}</div>
  return (
    <button
      type="button"
      aria-expanded={row.isOpen}
      aria-label={`${FILTERS[row.row.filter]}: ${row.row.left} left, ${row.row.dropped} dropped${row.stops ? '; it waits here' : ''}`}
      onClick={onToggle}
      className={cn(className, 'w-full text-left focus-visible:-outline-offset-2', !row.stops && 'hover:bg-hover')}
    >
      {children}
    </button>
  )
}

function Chevron({ row }: { row: LayoutRow }) {
  if (row.dropped.length === 0) return <span />
  const Icon = row.isOpen ? ChevronDown : ChevronRight
  return <Icon className="size-3.5 shrink-0 text-ink-3" aria-hidden />
}

function Left({ row }: { row: LayoutRow }) {
  return (
    <span className={cn('num min-w-3 text-right', row.stops && 'font-semibold text-wait', row.isAfter && 'text-ink-3')}>
      {row.isAfter ? '–' : row.row.left}
    </span>
  )
}

/** Instead of lines that could not be told apart. */
function Bar({ share }: { share: number | null }) {
  if (share === null) return <span />
  return (
    <span className="block h-2 rounded-xs bg-line">
      <span className="block h-full rounded-xs bg-accent" style={{ width: `${Math.round(share * 100)}%` }} />
    </span>
  )
}

function Cells({ machine }: { machine: MachineView | undefined }) {
  const inventory = machine?.inventory
  if (!inventory || inventory.devices.length === 0) return <span />
  const rest = inventory.devices.length - CELLS_MAX
  const shown = { ...machine, inventory: { ...inventory, devices: inventory.devices.slice(0, CELLS_MAX) } }
  return (
    <span className="flex w-max items-center gap-1">
      <DeviceCells machine={shown} />
      {rest > 0 ? <span className="num text-micro text-ink-3">+{rest}</span> : null}
    </span>
  )
}

function droppedText(row: LayoutRow): string {
  if (row.stops) return 'it waits here'
  if (row.isAfter) return row.row.wouldPass === undefined ? 'not reached' : `${row.row.wouldPass} would pass`
  if (row.dropped.length === 0) return 'all pass'
  return namesOrDetail(row.dropped)
}

/** Few machines are named; several that were dropped for one and the same reason share it. */
function namesOrDetail(dropped: readonly FunnelMachine[]): string {
  const details = new Set(dropped.map((machine) => machine.detail))
  const [only] = details
  if (dropped.length > 2 && details.size === 1 && only) return only
  const names = dropped.slice(0, 2).map((machine) => machine.name)
  return dropped.length > 2 ? `${names.join(', ')} and ${dropped.length - 2} more` : names.join(', ')
}
