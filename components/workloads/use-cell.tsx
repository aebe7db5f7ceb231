'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { useTRPC } from '@/components/api/client'
import { Meter } from '@/components/ui/meter'
import { LIMITS } from '@/domain/limits'
import type { InstanceUse } from '@/domain/machines'
import type { WorkloadView } from '@/domain/views'
import { latestUse, measuredIds } from './latest-use'

const Latest = createContext<ReadonlyMap<string, InstanceUse>>(new Map())

/** Asks what the rows inside use now, in one call for all of them; a hidden tab asks nothing. */
export function LatestUseOf({ workloads, children }: { workloads: readonly WorkloadView[]; children: ReactNode }) {
  const ids = measuredIds(workloads, LIMITS.listMax)
  const { data } = useQuery(
    useTRPC().workloads.latestUse.queryOptions(
      { ids },
      { enabled: ids.length > 0, refetchInterval: LIMITS.sampleSeconds * 1000, placeholderData: keepPreviousData },
    ),
  )
  const byId = useMemo(() => new Map(data?.map(({ workloadId, use }) => [workloadId, use])), [data])
  return <Latest value={byId}>{children}</Latest>
}

/** What a workload uses of what it holds, as it was measured last; `otherwise` where nothing is known. */
export function UseCell({ workload, otherwise }: { workload: WorkloadView; otherwise: ReactNode }) {
  const use = useContext(Latest).get(workload.id)
  const words = use ? latestUse(workload, use) : null
  if (!words) return otherwise
  return (
    <span title={words.all} className="inline-flex items-center gap-1.5">
      <Meter value={words.share} label={words.all} tone="accent" className="w-8" />
      <span className="num w-9">{words.percent}</span>
    </span>
  )
}
