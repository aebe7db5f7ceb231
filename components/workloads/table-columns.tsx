'use client'
import Link from 'next/link'
import { workloadPath } from '@/components/frame/routes'
import { Bytes } from '@/components/ui/bytes'
import { Age } from '@/components/ui/time'
import type { WorkloadView } from '@/domain/views'
import { ClassLabel } from './class-label'
import type { ColumnId } from './columns'
import { KindLabel } from './kind-label'
import { ReasonText } from './reason-text'
import { StateBadge } from './state-badge'
import { UseCell } from './use-cell'

type CellRow = { className?: string; show: (row: WorkloadView) => React.ReactNode }

/** What each column shows of a row. */
export const CELLS: Record<ColumnId, CellRow> = {
  state: { className: 'pr-0', show: (row) => <StateBadge workload={row} /> },
  name: {
    show: (row) => (
      <Link href={workloadPath(row.id)} tabIndex={-1} className="block truncate font-medium hover:underline">
        {row.name}
      </Link>
    ),
  },
  reason: { className: 'pr-4', show: (row) => <ReasonText workload={row} className="block truncate" /> },
  kind: { className: 'text-small', show: (row) => <KindLabel kind={row.kind} /> },
  machine: { show: (row) => <MachineName row={row} /> },
  class: { className: 'text-small', show: (row) => <ClassLabel spec={row.spec} placement={row.placement} /> },
  owner: { className: 'truncate text-ink-2', show: (row) => row.ownerName },
  cpus: { className: 'text-small text-ink-2', show: (row) => row.spec.cpus },
  memory: { className: 'text-small text-ink-2 whitespace-nowrap', show: (row) => <Bytes value={row.spec.memoryBytes} /> },
  opened: {
    className: 'text-small text-ink-2 whitespace-nowrap',
    show: (row) => (row.lastOpenedAt ? <Age at={row.lastOpenedAt} /> : <Nothing />),
  },
  age: { className: 'text-small text-ink-2 whitespace-nowrap', show: (row) => <Age at={row.createdAt} /> },
  use: { className: 'text-small whitespace-nowrap', show: (row) => <UseCell workload={row} otherwise={<Nothing />} /> },
}

/** Where it runs, or where its files wait for it; a dash where there is neither. */
function MachineName({ row }: { row: WorkloadView }) {
  const name = row.placement?.machineName ?? row.reach?.machineName
  if (!name) return <Nothing />
  return <span className={row.placement ? 'block truncate' : 'block truncate text-ink-3'}>{name}</span>
}

function Nothing() {
  return <span className="text-ink-3">–</span>
}
