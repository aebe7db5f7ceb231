'use client'
import { useQuery } from '@tanstack/react-query'
import { Ghost } from 'lucide-react'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { failureOf } from '@/components/api/failure'
import { QueryFailed } from '@/components/api/query-failed'
import { buttonClass } from '@/components/ui/button'
import { Empty } from '@/components/ui/empty'
import { Columns } from '@/components/ui/page'
import { Panel } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import { TabPanel, Tabs } from '@/components/ui/tabs'
import { DeleteDialog, RenameDialog } from '@/components/workloads/dialogs'
import type { WorkloadView } from '@/domain/views'
import { FactsPanel } from './facts-panel'
import { Overview } from './overview'
import { TimelinePanel } from './timeline'
import { WorkloadHeader } from './workload-header'

const JsonPanel = dynamic(() => import('./json-panel').then((m) => m.JsonPanel))
const RequestPanel = dynamic(() => import('./request-panel').then((m) => m.RequestPanel))

const TABS = ['overview', 'timeline', 'settings', 'json'] as const
const TAB_LABEL: Record<(typeof TABS)[number], string> = {
  overview: 'Overview',
  timeline: 'Timeline',
  settings: 'Settings',
  json: 'JSON',
}
const TIMELINE_FULL = 100

type Props = { id: string; initial?: WorkloadView | undefined }

/** Everything about one workload, live. `initial` is what the server read for the first picture. */
export function WorkloadPage({ id, initial }: Props) {
  const trpc = useTRPC()
  const query = useQuery(trpc.workloads.get.queryOptions({ id }, { initialData: initial }))
  if (query.data) return <Known workload={query.data} />
  if (query.isPending) return <SkeletonRows rows={6} className="rounded-md border border-line bg-surface" />
  const { code } = failureOf(query.error)
  if (code === 'not_found' || code === 'invalid') return <Unknown />
  return (
    <Panel>
      <QueryFailed error={query.error} what="This workload" onRetry={() => void query.refetch()} isRetrying={query.isFetching} />
    </Panel>
  )
}

function Known({ workload }: { workload: WorkloadView }) {
  const trpc = useTRPC()
  const catalog = useQuery(trpc.catalog.get.queryOptions())
  const machines = useQuery(trpc.machines.list.queryOptions())
  const [tab, setTab] = useQueryState('tab', parseAsStringLiteral(TABS).withDefault('overview'))
  const [isRenaming, setRenaming] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const runtime = catalog.data?.runtimes.find((r) => r.id === workload.spec.runtime)
  const runtimeTitle = runtime?.title ?? workload.spec.runtime
  const show = (value: string) => void setTab(TABS.find((name) => name === value) ?? 'overview')
  return (
    <>
      <WorkloadHeader
        workload={workload}
        runtimeTitle={runtimeTitle}
        onRename={() => setRenaming(true)}
        onDelete={() => setDeleting(true)}
      />
      <FactsPanel workload={workload} className="mb-1" />
      <Tabs
        label="About this workload"
        value={tab}
        onChange={show}
        tabs={TABS.map((value) => ({ value, label: TAB_LABEL[value] }))}
      >
        <TabPanel value="overview" className="pt-4">
          <Overview workload={workload} />
        </TabPanel>
        <TabPanel value="timeline" className="pt-4">
          <TimelinePanel workloadId={workload.id} shownFirst={TIMELINE_FULL} />
        </TabPanel>
        <TabPanel value="settings" className="pt-4">
          <Columns className="xl:grid-cols-[minmax(0,720px)]">
            <RequestPanel
              workload={workload}
              runtimeTitle={runtimeTitle}
              machines={machines.data ?? []}
              onRename={() => setRenaming(true)}
            />
          </Columns>
        </TabPanel>
        <TabPanel value="json" className="pt-4">
          <JsonPanel workload={workload} />
        </TabPanel>
      </Tabs>
      <RenameDialog workload={isRenaming ? workload : null} onClose={() => setRenaming(false)} />
      <DeleteDialog targets={isDeleting ? [workload] : []} onClose={() => setDeleting(false)} />
    </>
  )
}

/** Also for what belongs to others: it does not exist. */
function Unknown() {
  return (
    <Panel>
      <Empty
        icon={Ghost}
        title="No such workload"
        action={
          <Link href="/workloads" className={buttonClass({ size: 'sm' })}>
            All workloads
          </Link>
        }
      >
        It may have been removed long ago, or it is not shared with you.
      </Empty>
    </Panel>
  )
}
