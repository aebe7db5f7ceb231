'use client'
import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useTRPC } from '@/components/api/client'
import { onTick, tickMs } from '@/components/ui/clock'
import { Columns, PageHead, Stack } from '@/components/ui/page'
import { PanelPending } from '@/components/ui/panel-pending'
import { CapacityPanel } from './capacity-panel'
import { MyWorkloads } from './my-workloads'
import { needsOf } from './needs'
import { NeedsPanel } from './needs-panel'
import { HOME_LIST } from './queries'
import { summaryText } from './summary'
import { TodayPanel } from './today-panel'

/** Home: what waits for the person, what is theirs, what the machines have left, what changed today. */
export function HomePage() {
  const trpc = useTRPC()
  const workloads = useQuery(trpc.workloads.list.queryOptions(HOME_LIST))
  const machines = useQuery(trpc.machines.list.queryOptions())
  const rows = workloads.data?.rows
  const nowMs = useMinute()
  const isKnown = rows !== undefined && machines.data !== undefined
  return (
    <>
      <div className="max-md:sr-only">
        <PageHead title="Home">{isKnown ? summaryText(rows, machines.data) : ' '}</PageHead>
      </div>
      <Columns>
        <Stack className="max-md:gap-3">
          {isKnown ? <NeedsPanel needs={needsOf(rows, machines.data, nowMs)} /> : null}
          {workloads.isPending || machines.isPending ? <PanelPending title="Needs you" rows={1} /> : null}
          <MyWorkloads query={workloads} />
        </Stack>
        <Stack className="max-md:gap-3">
          <CapacityPanel query={machines} workloads={rows ?? []} />
          <TodayPanel />
        </Stack>
      </Columns>
    </>
  )
}

/** The present to the minute: what is said of a near stop counts down by itself. */
function useMinute(): number {
  const minute = (ms: number) => Math.floor(ms / 60_000) * 60_000
  return useSyncExternalStore(
    onTick,
    () => minute(tickMs()),
    () => minute(Date.now()),
  )
}
