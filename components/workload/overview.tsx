'use client'
import { useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import { QueryFailed } from '@/components/api/query-failed'
import { isUnisolated } from '@/components/machines/isolation-words'
import { NoIsolation } from '@/components/machines/no-isolation'
import { Columns, Stack } from '@/components/ui/page'
import { Panel, PanelHead } from '@/components/ui/panel'
import { PanelPending } from '@/components/ui/panel-pending'
import { SkeletonRows } from '@/components/ui/skeleton'
import { isTerminal } from '@/domain/states'
import type { WorkloadView } from '@/domain/views'
import { firstLog, type LogSource, logsOf } from './logs/log-source'
import { TimelinePanel } from './timeline'
import { MachineUsePanel, WherePanel } from './where-panel'

// What only some states show is fetched with the first of them.
const FunnelPanel = dynamic(() => import('./funnel-panel').then((m) => m.FunnelPanel), {
  loading: () => <PanelPending title="Why it waits" rows={8} />,
})
const SuggestionsPanel = dynamic(() => import('./suggestions-panel').then((m) => m.SuggestionsPanel), { loading: () => null })
const QueuePanel = dynamic(() => import('./queue-panel').then((m) => m.QueuePanel), { loading: () => null })
const ProgressPanel = dynamic(() => import('./progress-panel').then((m) => m.ProgressPanel), {
  loading: () => <PanelPending title="Starting" rows={2} />,
})
const LogsPanel = dynamic(() => import('./logs/logs-panel').then((m) => m.LogsPanel), {
  ssr: false,
  loading: () => <PanelPending title="Logs" className="min-h-86" />,
})
const UsePanel = dynamic(() => import('./use/use-panel').then((m) => m.UsePanel), {
  ssr: false,
  loading: () => <PanelPending title="Use" rows={2} className="min-h-44" />,
})
const OutcomePanel = dynamic(() => import('./outcome-panel').then((m) => m.OutcomePanel), { loading: () => null })

/** What matters in this state, beside the timeline. */
export function Overview({ workload }: { workload: WorkloadView }) {
  if (workload.state === 'queued') return <Waiting workload={workload} />
  return (
    <Columns side="narrow">
      <Stack>
        {workload.state === 'provisioning' ? <ProgressPanel workload={workload} /> : null}
        <OutcomePanel workload={workload} />
        {isUp(workload) ? <UsePanel workload={workload} /> : null}
        <LiveLog workload={workload} />
      </Stack>
      <Stack>
        <Isolation workload={workload} />
        <TimelinePanel workloadId={workload.id} />
        {isTerminal(workload.state) ? null : <WherePanel workload={workload} />}
        {workload.placement ? <MachineUsePanel machineId={workload.placement.machineId} /> : null}
      </Stack>
    </Columns>
  )
}

/** Said wherever such a program is shown: nothing keeps it from what Berth stores. */
function Isolation({ workload }: { workload: WorkloadView }) {
  const { placement } = workload
  const machines = useQuery(useTRPC().machines.list.queryOptions())
  if (!placement || !isUnisolated(placement.driver)) return null
  return (
    <Panel aria-label="Isolation">
      <NoIsolation machine={machines.data?.find(({ id }) => id === placement.machineId)} />
    </Panel>
  )
}

function isUp({ state, placement }: WorkloadView): boolean {
  return placement !== null && (state === 'running' || state === 'paused')
}

/** What it prints now, while it starts or runs. */
function LiveLog({ workload }: { workload: WorkloadView }) {
  const [source, setSource] = useState<LogSource | null>(null)
  const isLive = workload.state === 'provisioning' || workload.state === 'running' || workload.state === 'failed'
  if (!isLive || logsOf(workload).length === 0 || !workload.may.includes('workload.watch')) return null
  return <LogsPanel workload={workload} source={source ?? firstLog(workload)} onSource={setSource} />
}

function Waiting({ workload }: { workload: WorkloadView }) {
  const trpc = useTRPC()
  const why = useQuery(trpc.workloads.why.queryOptions({ id: workload.id }))
  const machines = useQuery(trpc.machines.list.queryOptions())
  return (
    <Columns>
      <div className="min-w-0 max-xl:order-2">
        {why.data ? <FunnelPanel funnel={why.data} machines={machines.data ?? []} /> : <WhyPending query={why} />}
      </div>
      <div className="flex min-w-0 flex-col gap-4 max-xl:contents">
        {why.data ? <SuggestionsPanel workload={workload} suggestions={why.data.suggestions} /> : null}
        {why.data?.queue ? (
          <div className="max-xl:order-3">
            <QueuePanel queue={why.data.queue} reason={why.data.reason} />
          </div>
        ) : null}
        <div className="max-xl:order-4">
          <TimelinePanel workloadId={workload.id} />
        </div>
      </div>
    </Columns>
  )
}

function WhyPending({ query }: { query: { error: unknown; isFetching: boolean; refetch: () => Promise<unknown> } }) {
  return (
    <Panel aria-label="Why it waits">
      <PanelHead title="Why it waits" />
      {query.error ? (
        <QueryFailed error={query.error} what="The decision" onRetry={() => void query.refetch()} isRetrying={query.isFetching} />
      ) : (
        <SkeletonRows rows={8} />
      )}
    </Panel>
  )
}
