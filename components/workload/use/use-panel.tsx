'use client'
import { useQuery } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useTRPC } from '@/components/api/client'
import { QueryFailed } from '@/components/api/query-failed'
import { Empty } from '@/components/ui/empty'
import { Meter } from '@/components/ui/meter'
import { Panel, PanelHead } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import { Moment } from '@/components/ui/time'
import { LIMITS } from '@/domain/limits'
import type { WorkloadView } from '@/domain/views'
import { seriesOf, type UseSeries } from './use-series'

const UseChart = dynamic(() => import('./use-chart').then((m) => m.UseChart), {
  ssr: false,
  loading: () => <div className="h-13" />,
})

const WINDOW_SECONDS = LIMITS.sampleSlots * LIMITS.sampleSeconds
/** A hidden tab asks nothing. */
const REFRESH_MS = LIMITS.sampleSeconds * 1000

/** What a workload uses now and used in the last 30 minutes, as its machine measures it. */
export function UsePanel({ workload }: { workload: WorkloadView }) {
  const trpc = useTRPC()
  const machineId = workload.placement?.machineId ?? ''
  const machine = useQuery(trpc.machines.get.queryOptions({ id: machineId }, { enabled: machineId !== '' }))
  const use = useQuery(trpc.workloads.use.queryOptions({ id: workload.id }, { refetchInterval: REFRESH_MS }))
  const samples = use.data?.samples ?? []
  const isSilent = workload.reach !== null && !workload.reach.isConnected
  return (
    <Panel aria-label="Use" className="min-h-44">
      <PanelHead title="Use" meta="last 30 min">
        {samples.length > 0 && !isSilent ? (
          <span className="flex items-center gap-1.5 text-small text-ink-3">
            <Activity className="size-3.5 text-good" aria-hidden />
            live
          </span>
        ) : null}
      </PanelHead>
      {use.isPending ? <SkeletonRows rows={2} /> : null}
      {use.error && samples.length === 0 ? (
        <QueryFailed error={use.error} what="Its use" onRetry={() => void use.refetch()} isRetrying={use.isFetching} />
      ) : null}
      {use.data && samples.length === 0 ? (
        <Empty icon={Activity} title="Nothing measured yet">
          The first numbers come a few seconds after it starts.
        </Empty>
      ) : null}
      <Charts series={seriesOf(samples, workload, machine.data)} />
    </Panel>
  )
}

function Charts({ series }: { series: readonly UseSeries[] }) {
  const toSecond = Math.max(...series.map(({ seconds }) => seconds.at(-1) ?? 0))
  const fromSecond = toSecond - WINDOW_SECONDS
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-px bg-line sm:grid-cols-2">
      {series.map((one) => (
        <li key={one.id} className="min-w-0 bg-surface px-4 pt-2.5 pb-2">
          <p className="mb-2 flex items-baseline justify-between gap-3 text-small">
            <span className="truncate text-ink-2">{one.label}</span>
            <span className="whitespace-nowrap text-ink-3">
              <span className="num text-lead font-medium text-ink">{one.now}</span> {one.of}
            </span>
          </p>
          <UseChart
            points={one}
            max={one.max}
            fromSecond={fromSecond}
            toSecond={toSecond}
            isAccent={one.id === 'gpu' || one.id === 'gpu-memory'}
          />
          {one.share === null ? null : <Meter value={one.share} label={one.label} className="mt-1 block w-full" />}
          <p className="num mt-1 flex justify-between text-micro text-ink-3">
            <Moment at={new Date(fromSecond * 1000)} />
            <Moment at={new Date(toSecond * 1000)} />
          </p>
        </li>
      ))}
    </ul>
  )
}
