'use client'
import Link from 'next/link'
import { workloadPath } from '@/components/frame/routes'
import { Age } from '@/components/ui/time'
import type { WorkloadView } from '@/domain/views'
import { classWords } from './class-label'
import { KindLabel } from './kind-label'
import { ReasonText } from './reason-text'
import { type RowActions, RowMenu } from './row-menu'
import { StateBadge } from './state-badge'
import { LatestUseOf, UseCell } from './use-cell'

/** The list on a phone. */
export function WorkloadCards({ rows, menu }: { rows: readonly WorkloadView[]; menu: RowActions }) {
  return (
    <ul className="flex flex-col gap-2 md:hidden">
      <LatestUseOf workloads={rows}>
        {rows.map((row) => (
          <WorkloadCard key={row.id} workload={row} menu={menu} />
        ))}
      </LatestUseOf>
    </ul>
  )
}

/** One workload on a phone. The whole card opens it. */
function WorkloadCard({ workload, menu }: { workload: WorkloadView; menu: RowActions }) {
  const machine = workload.placement?.machineName ?? workload.reach?.machineName
  return (
    <li className="relative flex items-start gap-2 rounded-md border border-line bg-surface py-2 pr-1 pl-4">
      <div className="min-w-0 flex-1 py-1">
        <div className="flex items-center gap-3">
          <StateBadge workload={workload} />
          <Age at={workload.createdAt} className="ml-auto text-small tabular-nums text-ink-3" />
        </div>
        <Link
          href={workloadPath(workload.id)}
          className="mt-1 block truncate text-lead font-medium after:absolute after:inset-0 after:rounded-md"
        >
          {workload.name}
        </Link>
        <ReasonText workload={workload} className="line-clamp-2" />
        <p className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-0.5 text-small text-ink-3">
          <KindLabel kind={workload.kind} />
          <span aria-hidden>·</span>
          {machine ? (
            <>
              <span>{machine}</span>
              <span aria-hidden>·</span>
            </>
          ) : null}
          <span>{classWords(workload.spec, workload.placement).text}</span>
          <span aria-hidden>·</span>
          <span>{workload.isOwn ? 'you' : workload.ownerName}</span>
          <UseCell workload={workload} otherwise={null} />
        </p>
      </div>
      <div className="relative -mt-1.5">
        <RowMenu workload={workload} {...menu} />
      </div>
    </li>
  )
}
