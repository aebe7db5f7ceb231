'use client'
import { Info } from 'lucide-react'
import { useState } from 'react'
import { Panel, PanelHead } from '@/components/ui/panel'
import type { Filter, Funnel } from '@/domain/placement'
import type { MachineView } from '@/domain/views'
import { LINES_MAX, layOutFunnel, NARROW, stoppingFilter, WIDE } from './funnel-layout'
import { FunnelLines } from './funnel-lines'
import { NarrowRow, WideHead, WideRow } from './funnel-rows'

type Props = { funnel: Funnel; machines: readonly MachineView[] }

/** Where the columns of lines begin: padding, marks and names before them. */
const WIDE_LEFT = 308
const NARROW_LEFT = 150

/** Why a workload waits: what each filter left of the machines, one line a machine, ending where it was dropped. */
export function FunnelPanel({ funnel, machines }: Props) {
  const { open, toggle } = useOpenRows(funnel)
  const known = new Map(machines.map((machine) => [machine.id, machine]))
  const total = funnel.machines.length
  const hasLines = total <= LINES_MAX
  const wide = layOutFunnel(funnel, open, WIDE)
  const narrow = layOutFunnel(funnel, open, NARROW)
  const summary = <span className="max-md:hidden">{summaryOf(funnel)}</span>
  return (
    <Panel aria-label="Why it waits">
      <PanelHead title={stoppingFilter(funnel) === null ? 'Where it fits' : 'Why it waits'} meta={summary} />
      <div className="max-md:hidden">
        <WideHead count={total} />
        <div className="relative">
          {wide.rows.map((row) => (
            <WideRow key={row.row.filter} row={row} machines={known} total={total} onToggle={() => toggle(row.row.filter)} />
          ))}
          {hasLines ? <FunnelLines layout={wide} left={WIDE_LEFT} width={WIDE.widthPx} /> : null}
        </div>
      </div>
      <div className="relative md:hidden">
        {narrow.rows.map((row) => (
          <NarrowRow key={row.row.filter} row={row} machines={known} total={total} onToggle={() => toggle(row.row.filter)} />
        ))}
        {hasLines ? <FunnelLines layout={narrow} left={NARROW_LEFT} width={NARROW.widthPx} /> : null}
      </div>
      <p className="flex min-h-9 items-center gap-2 border-t border-line px-4 py-1.5 text-small text-ink-3">
        <Info className="size-3.5 shrink-0" aria-hidden />A line ends where its machine was dropped. Placement looks again at
        every change, and at least every few seconds.
      </p>
    </Panel>
  )
}

/** The row that it waits at is open until it is closed by hand; every other row is closed until opened. */
function useOpenRows(funnel: Funnel): { open: ReadonlySet<Filter>; toggle: (filter: Filter) => void } {
  const [toggled, setToggled] = useState<ReadonlySet<Filter>>(new Set())
  const stop = stoppingFilter(funnel)
  const filters = funnel.rows.map((row) => row.filter)
  const open = new Set(filters.filter((filter) => toggled.has(filter) !== (filter === stop)))
  const toggle = (filter: Filter) => {
    const next = new Set(toggled)
    if (!next.delete(filter)) next.add(filter)
    setToggled(next)
  }
  return { open, toggle }
}

/** Why none of the machines that came so far passes. */
const NONE: Record<Filter, string> = {
  region: 'is the chosen machine',
  sharing: 'is shared with you',
  isolation: 'isolates well enough',
  online: 'is online and takes work',
  runtime: 'can run it',
  gpu_class: 'has the class',
  devices: 'has enough GPUs free',
  cpu: 'has enough CPU free',
  memory: 'has enough memory free',
  disk: 'has enough disk free',
  workspace: 'holds its workspace',
}

/** "3 of 9 machines come this far; none has enough GPUs free". */
function summaryOf(funnel: Funnel): string {
  const total = funnel.machines.length
  const machines = total === 1 ? 'machine' : 'machines'
  if (total === 0) return 'there is no machine to choose from'
  const stop = stoppingFilter(funnel)
  if (stop === null) return `${funnel.rows.at(-1)?.left ?? 0} of ${total} ${machines} ${total === 1 ? 'fits' : 'fit'}`
  const reached = funnel.machines.filter((machine) => machine.droppedBy === stop).length
  if (reached === total) return `none of ${total} ${machines} ${NONE[stop]}`
  return `${reached} of ${total} ${machines} ${reached === 1 ? 'comes' : 'come'} this far; none ${NONE[stop]}`
}
