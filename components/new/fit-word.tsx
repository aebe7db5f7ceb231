'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { Skeleton } from '@/components/ui/skeleton'
import { Status } from '@/components/ui/status'
import type { Kind } from '@/domain/kinds'
import type { Funnel } from '@/domain/placement'
import type { WorkloadSpec } from '@/domain/workloads'
import { verdictOf } from './verdict'

/** Verdicts are asked again this often; a change anywhere asks them at once. */
const RECHECK_MS = 15_000

/** The live answer to "what if I created this now"; undefined while there is nothing to ask. */
export function useFit(kind: Kind, spec: WorkloadSpec | null) {
  const trpc = useTRPC()
  const input = { kind, spec: spec ?? NOTHING }
  return useQuery({
    ...trpc.workloads.fit.queryOptions(input),
    enabled: spec !== null,
    placeholderData: keepPreviousData,
    refetchInterval: RECHECK_MS,
  })
}
const NOTHING: WorkloadSpec = {
  runtime: '-',
  cpus: 1,
  memoryBytes: 2 ** 31,
  diskBytes: 0,
  gpu: null,
  machineId: null,
  command: null,
  requirements: [],
}

/** The verdict of one row, in a few words; the full reason on hover. */
export function FitWord({ kind, spec }: { kind: Kind; spec: WorkloadSpec | null }) {
  const { data, isError } = useFit(kind, spec)
  if (isError && !data) return <span className="text-small text-ink-3">Not known now</span>
  if (!data || !spec) return <Skeleton className="w-24" />
  return <FunnelWord funnel={data} />
}

/** A verdict in a few words; the full reason on hover. */
export function FunnelWord({ funnel }: { funnel: Funnel }) {
  const verdict = verdictOf(funnel)
  return (
    <span title={verdict.full} className="block min-w-0">
      <Status icon={verdict.icon} tone={verdict.tone} className="max-w-full text-small">
        <span className="truncate">{verdict.short}</span>
      </Status>
    </span>
  )
}
