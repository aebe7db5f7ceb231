'use client'
import type { UseQueryResult } from '@tanstack/react-query'
import { Layers, Plus } from 'lucide-react'
import { QueryFailed } from '@/components/api/query-failed'
import { useMayCreate } from '@/components/api/use-may-create'
import { workloadPath } from '@/components/frame/routes'
import { KIND_ICON } from '@/components/frame/state-look'
import { buttonClass } from '@/components/ui/button'
import { Empty } from '@/components/ui/empty'
import { Link } from '@/components/ui/link'
import { Panel, PanelHead } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import { Table, Td, THead, Th, Tr } from '@/components/ui/table'
import { Age } from '@/components/ui/time'
import { StateBadge } from '@/components/workloads/state-badge'
import { KINDS } from '@/domain/kinds'
import type { WorkloadView } from '@/domain/views'
import { DoesNow } from './does-now'
import { RowAction } from './row-action'

type Props = { query: UseQueryResult<{ rows: WorkloadView[]; nextCursor: string | null }, unknown> }

/** The person's workloads: state, reason, position or progress, and the action that fits. */
export function MyWorkloads({ query }: Props) {
  const rows = query.data?.rows
  return (
    <Panel aria-label="My workloads">
      <PanelHead
        title="My workloads"
        meta={rows && rows.length > 0 ? `${rows.length}${query.data?.nextCursor ? '+' : ''}` : null}
      >
        <Link href="/workloads" className="link text-small">
          All workloads
        </Link>
      </PanelHead>
      {query.isError && !rows ? (
        <QueryFailed
          error={query.error}
          what="Your workloads"
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      ) : null}
      {query.isPending ? <SkeletonRows /> : null}
      {rows?.length === 0 ? <NoWorkloads /> : null}
      {rows && rows.length > 0 ? (
        <>
          <WorkloadTable rows={rows} />
          <WorkloadCards rows={rows} />
        </>
      ) : null}
    </Panel>
  )
}

function NoWorkloads() {
  if (!useMayCreate()) {
    return (
      <Empty icon={Layers} title="Nothing here is yours">
        A viewer looks and starts nothing. What others share with you stands under All workloads.
      </Empty>
    )
  }
  return <Starts />
}

function Starts() {
  const start = (kind: 'notebook' | 'session', isFirst: boolean) => {
    const Icon = KIND_ICON[kind]
    return (
      <Link href={`/new?kind=${kind}`} className={buttonClass({ size: 'sm', ...(isFirst && { kind: 'primary' }) })}>
        {isFirst ? (
          <Plus className="size-3.5 shrink-0" aria-hidden />
        ) : (
          <Icon className="size-3.5 shrink-0 text-ink-2" aria-hidden />
        )}
        New {KINDS[kind].label.toLowerCase()}
      </Link>
    )
  }
  return (
    <Empty
      icon={Layers}
      title="Nothing of yours runs yet"
      action={
        <>
          {start('notebook', true)}
          {start('session', false)}
        </>
      }
    >
      Everything is filled in: two clicks start a notebook or a session that goes on when you close the tab.
    </Empty>
  )
}

function WorkloadTable({ rows }: { rows: readonly WorkloadView[] }) {
  return (
    <Table className="max-md:hidden">
      <colgroup>
        <col className="w-44 min-[1400px]:w-52" />
        <col className="w-32" />
        <col />
        <col className="w-15" />
        <col className="w-23" />
      </colgroup>
      <THead>
        <Th>State</Th>
        <Th>Name</Th>
        <Th>What it does now</Th>
        <Th isNumber className="pr-3">
          Age
        </Th>
        <Th>
          <span className="sr-only">Action</span>
        </Th>
      </THead>
      <tbody>
        {rows.map((workload) => (
          <WorkloadRow key={workload.id} workload={workload} />
        ))}
      </tbody>
    </Table>
  )
}

function WorkloadRow({ workload }: { workload: WorkloadView }) {
  const { id, name, createdAt } = workload
  return (
    <Tr isDouble>
      <Td className="[&>span]:whitespace-normal">
        <StateBadge workload={workload} />
      </Td>
      <Td>
        <Link href={workloadPath(id)} className="block truncate rounded-sm font-medium hover:underline" title={name}>
          {name}
        </Link>
        <KindLine workload={workload} />
      </Td>
      <Td>
        <DoesNow workload={workload} />
      </Td>
      <Td isNumber className="text-small text-ink-3">
        <Age at={createdAt} />
      </Td>
      <Td className="text-right">
        <RowAction workload={workload} />
      </Td>
    </Tr>
  )
}

function KindLine({ workload }: { workload: WorkloadView }) {
  const Icon = KIND_ICON[workload.kind]
  return (
    <p className="flex items-center gap-1 text-small text-ink-3">
      <Icon className="size-3 shrink-0" aria-hidden />
      {KINDS[workload.kind].label}
    </p>
  )
}

function WorkloadCards({ rows }: { rows: readonly WorkloadView[] }) {
  return (
    <ul className="md:hidden">
      {rows.map((workload) => {
        const Icon = KIND_ICON[workload.kind]
        return (
          <li key={workload.id} className="relative flex items-center gap-3 border-b border-line px-4 py-2.5 last:border-b-0">
            <div className="min-w-0 flex-1">
              <p className="flex items-center gap-2">
                <Link href={workloadPath(workload.id)} className="truncate font-medium after:absolute after:inset-0">
                  {workload.name}
                </Link>
                <Icon className="size-3.5 shrink-0 text-ink-3" aria-label={KINDS[workload.kind].label} />
              </p>
              <div className="text-small">
                <StateBadge workload={workload} />
              </div>
              <DoesNow workload={workload} isShort />
            </div>
            {/* Above the link that covers the row. */}
            <div className="relative">
              <RowAction workload={workload} />
            </div>
          </li>
        )
      })}
    </ul>
  )
}
