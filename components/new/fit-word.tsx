'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/components/api/client'
import { Skeleton } from '@/components/ui/skeleton'
import { Status } from '@/components/ui/status'
import type { Funnel } from '@/domain/placement'
import { type Draft, fitSpecOf } from './draft'
import { verdictOf } from './verdict'

/** Verdicts are asked again this often; a change anywhere asks them at once. */
const RECHECK_MS = 15_000

/** The live answer to "what if I created this now". */
export function useFit(draft: Draft) {
  const trpc = useTRPC()
  return useQuery({
    ...trpc.workloads.fit.queryOptions({ kind: draft.kind, spec: fitSpecOf(draft) }, { enabled: isAsked(draft) }),
    placeholderData: keepPreviousData,
    refetchInterval: RECHECK_MS,
  })
}

/** Are its sizes numbers? While one is being typed there is nothing to judge. */
export function isAsked({ cpus, memoryBytes, diskBytes }: Draft): boolean {
  return Number.isFinite(cpus + memoryBytes + diskBytes)
}

/** The verdict of one row, in a few words; the full reason on hover. */
export function FitWord({ draft }: { draft: Draft }) {
  const { data, isError } = useFit(draft)
  if (!isAsked(draft)) return null
  if (isError && !data) return <span className="text-small text-ink-3">Not known now</span>
  return data ? <FunnelWord funnel={data} /> : <Skeleton className="w-24" />
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
