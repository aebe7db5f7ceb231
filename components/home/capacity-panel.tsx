import type { UseQueryResult } from '@tanstack/react-query'
import { Server } from 'lucide-react'
import { QueryFailed } from '@/components/api/query-failed'
import { CellLegend } from '@/components/machines/cell-legend'
import { DeviceCells } from '@/components/machines/device-cells'
import { holdersOf } from '@/components/machines/holders'
import { freeDevices, machineLook, memoryShare } from '@/components/machines/machine-look'
import { MachineStatus } from '@/components/machines/machine-status'
import { Empty } from '@/components/ui/empty'
import { Link } from '@/components/ui/link'
import { Meter } from '@/components/ui/meter'
import { Panel, PanelHead } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import type { MachineView, WorkloadView } from '@/domain/views'

const GRID =
  'grid grid-cols-[72px_minmax(0,1fr)_54px_54px] sm:grid-cols-[72px_minmax(0,113px)_minmax(98px,1fr)_48px_48px] items-center gap-2 border-b border-line px-4'

type Props = { query: UseQueryResult<MachineView[], unknown>; workloads: readonly WorkloadView[] }

/** What each machine has left: GPUs as cells, CPU and memory as measured. */
export function CapacityPanel({ query, workloads }: Props) {
  const machines = query.data
  const hasDevices = machines?.some((m) => (m.inventory?.devices.length ?? 0) > 0)
  return (
    <Panel aria-label="Capacity">
      <PanelHead title="Capacity">
        <Link href="/machines" className="link text-small">
          Machines
        </Link>
      </PanelHead>
      {query.isError ? (
        <QueryFailed error={query.error} what="Machines" onRetry={() => void query.refetch()} isRetrying={query.isFetching} />
      ) : null}
      {query.isPending ? <SkeletonRows rows={2} /> : null}
      {machines?.length === 0 ? (
        <Empty icon={Server} title="No machine yet">
          This machine joins by itself, in about 10 s.
        </Empty>
      ) : null}
      {machines && machines.length > 0 ? (
        <ul>
          <li className={`${GRID} h-7 bg-sunken text-micro font-medium text-ink-3`} aria-hidden>
            <span>Machine</span>
            <span>GPUs</span>
            <span className="max-sm:hidden" />
            <span>CPU %</span>
            <span>Mem %</span>
          </li>
          {machines.map((machine) => (
            <CapacityRow key={machine.id} machine={machine} holders={holdersOf(workloads)} />
          ))}
        </ul>
      ) : null}
      {hasDevices ? (
        <CellLegend className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-micro text-ink-3" />
      ) : null}
    </Panel>
  )
}

function CapacityRow({ machine, holders }: { machine: MachineView; holders: ReadonlyMap<string, string> }) {
  const hasDevices = (machine.inventory?.devices.length ?? 0) > 0
  const isFine = machineLook(machine, 0).tone === 'good'
  return (
    <li className={`${GRID} min-h-8 py-1 last:border-b-0`}>
      <span className="truncate font-medium" title={machine.name}>
        {machine.name}
      </span>
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 sm:contents">
        {hasDevices ? (
          <DeviceCells machine={machine} holders={holders} />
        ) : (
          <span className="text-small text-ink-3">CPU only</span>
        )}
        <span className="min-w-0 truncate text-small">
          {isFine && hasDevices ? (
            <span className="text-ink-3">{freeDevices(machine)} free</span>
          ) : (
            <MachineStatus machine={machine} isShort />
          )}
        </span>
      </span>
      <Share value={machine.isConnected ? (machine.use?.cpu ?? null) : null} label={`CPU of ${machine.name}`} />
      <Share value={machine.isConnected ? memoryShare(machine) : null} label={`Memory of ${machine.name}`} />
    </li>
  )
}

function Share({ value, label }: { value: number | null; label: string }) {
  if (value === null) return <span className="text-micro text-ink-3">–</span>
  return (
    <span className="flex items-center gap-1.5">
      <Meter value={value} label={label} className="w-7 shrink-0 sm:w-5.5" />
      <span className="num w-5 text-right text-micro text-ink-2">{Math.round(value * 100)}</span>
    </span>
  )
}
