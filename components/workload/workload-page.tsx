'use client'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { failureOf } from '@/components/api/failure'
import { QueryFailed } from '@/components/api/query-failed'
import { Panel } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import { DeleteDialog, RenameDialog } from '@/components/workloads/dialogs'
import type { WorkloadView } from '@/domain/views'
import { FactsPanel } from './facts-panel'
import { OutdatedNotice } from './outdated-notice'
import { StopNotice } from './stop-notice'
import { WorkloadHeader } from './workload-header'
import { WorkloadTabs } from './workload-tabs'

const NoWorkload = dynamic(() => import('./no-workload').then((m) => m.NoWorkload), { loading: () => null })

type Props = { id: string; initial?: WorkloadView | undefined; readAt: number }

/** Everything about one workload, live. `initial` is what the server read for the first picture, and when: a step back shows the same. */
export function WorkloadPage({ id, initial, readAt }: Props) {
  const trpc = useTRPC()
  const query = useQuery(trpc.workloads.get.queryOptions({ id }, { initialData: initial, initialDataUpdatedAt: readAt }))
  if (query.data) return <Known workload={query.data} />
  if (query.isPending) return <SkeletonRows rows={6} className="rounded-md border border-line bg-surface" />
  const { code } = failureOf(query.error)
  if (code === 'not_found' || code === 'invalid') return <NoWorkload />
  return (
    <Panel>
      <QueryFailed error={query.error} what="This workload" onRetry={() => void query.refetch()} isRetrying={query.isFetching} />
    </Panel>
  )
}

function Known({ workload }: { workload: WorkloadView }) {
  const catalog = useQuery(useTRPC().catalog.get.queryOptions())
  const [isRenaming, setRenaming] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const runtime = catalog.data?.runtimes.find((r) => r.id === workload.spec.runtime)
  const runtimeTitle = runtime?.title ?? workload.spec.runtime
  const onRename = () => setRenaming(true)
  return (
    <>
      <WorkloadHeader workload={workload} runtimeTitle={runtimeTitle} onRename={onRename} onDelete={() => setDeleting(true)} />
      <StopNotice workload={workload} className="mb-4 rounded-md border" />
      <OutdatedNotice workload={workload} className="mb-4 rounded-md border" />
      <FactsPanel workload={workload} className="mb-3 max-md:mb-1" />
      <WorkloadTabs workload={workload} runtimeTitle={runtimeTitle} onRename={onRename} />
      <RenameDialog workload={isRenaming ? workload : null} onClose={() => setRenaming(false)} />
      <DeleteDialog targets={isDeleting ? [workload] : []} onClose={() => setDeleting(false)} />
    </>
  )
}
