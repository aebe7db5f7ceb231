'use client'
import { ChevronLeft } from 'lucide-react'
import Link from 'next/link'
import { CopyText } from '@/components/ui/copy-field'
import { Age, Moment } from '@/components/ui/time'
import { KindLabel } from '@/components/workloads/kind-label'
import { StatePill } from '@/components/workloads/state-badge'
import type { WorkloadView } from '@/domain/views'
import { HeaderActions } from './header-actions'

type Props = { workload: WorkloadView; runtimeTitle: string; onRename: () => void; onDelete: () => void }

/** What it is, how it is, and what can be done with it. */
export function WorkloadHeader({ workload, runtimeTitle, onRename, onDelete }: Props) {
  const { name, ownerName, isOwn, id, state } = workload
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
      <p className="flex w-full flex-wrap items-center gap-x-2 gap-y-0.5 text-ink-2 max-md:text-small">
        <KindLabel kind={workload.kind} />
        <Dot />
        <span>{isOwn ? 'You' : ownerName}</span>
        <Dot />
        <span>{runtimeTitle}</span>
        <Dot />
        <span>
          {state === 'running' ? (
            <>
              up <Age at={workload.stateSince} />
            </>
          ) : (
            <>
              created <Moment at={workload.createdAt} shape="near" />
            </>
          )}
        </span>
        <Dot />
        <CopyText value={id} shown={id.slice(-8)} label="id" />
      </p>
    </header>
  )
}

function Dot() {
  return (
    <span aria-hidden className="text-line-2">
      ·
    </span>
  )
}
