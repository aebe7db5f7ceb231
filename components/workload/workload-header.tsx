'use client'
import { ChevronLeft } from 'lucide-react'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { CopyText } from '@/components/ui/copy-field'
import { Age, Moment } from '@/components/ui/time'
import { KindLabel } from '@/components/workloads/kind-label'
import { StatePill } from '@/components/workloads/state-badge'
import type { WorkloadView } from '@/domain/views'

// Drawn by the server; its code comes beside the page's own. Its room is kept for a page that is come to without the server.
const HeaderActions = dynamic(() => import('./header-actions').then((m) => m.HeaderActions), {
  loading: () => <div className="ml-auto h-8 max-md:order-last max-md:mt-2 max-md:ml-0 max-md:h-10 max-md:w-full" />,
})

type Props = { workload: WorkloadView; runtimeTitle: string; onRename: () => void; onDelete: () => void }

/** What it is, how it is, and what can be done with it. */
export function WorkloadHeader({ workload, runtimeTitle, onRename, onDelete }: Props) {
  const { name } = workload
  return (
    <header className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 max-md:mb-3 max-md:gap-x-2">
      <Link
        href="/workloads"
        aria-label="Back to the workloads"
        className="-ml-2 inline-flex size-10 items-center justify-center rounded-md text-ink-2 md:hidden"
      >
        <ChevronLeft className="size-4" aria-hidden />
      </Link>
      <h1 className="min-w-0 text-title font-semibold [overflow-wrap:anywhere] max-md:flex-1 max-md:text-lead">{name}</h1>
      <StatePill workload={workload} />
      <HeaderActions workload={workload} onRename={onRename} onDelete={onDelete} />
      <WorkloadFacts workload={workload} runtimeTitle={runtimeTitle} />
    </header>
  )
}

const ITEM = "relative pl-4 before:absolute before:left-1.5 before:text-line-2 before:content-['·'] first:before:content-none"

/** What it is, in one line where there is room. A dot stands before each fact; those at the beginning of a line are cut off. */
function WorkloadFacts({ workload, runtimeTitle }: Pick<Props, 'workload' | 'runtimeTitle'>) {
  const { kind, isOwn, ownerName, state, stateSince, createdAt, id } = workload
  return (
    <p className="w-full text-ink-2 [clip-path:inset(-4px_-4px_-4px_0)] max-md:text-small">
      <span className="-ml-4 flex flex-wrap items-center gap-y-0.5">
        <span className={ITEM}>
          <KindLabel kind={kind} />
        </span>
        <span className={ITEM}>{isOwn ? 'You' : ownerName}</span>
        <span className={ITEM}>{runtimeTitle}</span>
        <span className={ITEM}>
          {state === 'running' ? 'up ' : 'created '}
          {state === 'running' ? <Age at={stateSince} /> : <Moment at={createdAt} shape="near" />}
        </span>
        <span className={ITEM}>
          <CopyText value={id} shown={id.slice(-8)} label="id" />
        </span>
      </span>
    </p>
  )
}
