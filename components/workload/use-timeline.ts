'use client'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTRPC } from '@/components/api/client'
import type { WorkloadEvent } from '@/domain/workloads'
import { hasOlder, type KnownEvents, mergeEvents } from './merge-events'
import { FIRST_ENTRIES } from './timeline-page'

const MORE_ENTRIES = 50
/** Several changes within this time are asked for once. */
const SETTLE_MS = 300

export type Timeline = {
  /** Newest first, without a hole. */
  events: readonly WorkloadEvent[]
  total: number
  isPending: boolean
  error: unknown
  hasOlder: boolean
  isLoadingOlder: boolean
  showOlder: () => void
  retry: () => void
  isFetching: boolean
}

/** The timeline of a workload, live: its newest page is asked again when it changes, older ones when they are wanted. */
export function useTimeline(id: string, first = FIRST_ENTRIES): Timeline {
  const { workloads } = useTRPC()
  const client = useQueryClient()
  const newest = useQuery(workloads.events.queryOptions({ id, limit: first }))
  const [known, setKnown] = useState<KnownEvents>([])
  const events = mergeEvents(known, newest.data ?? [])
  if (events !== known && events.length > 0) setKnown(events)
  useLiveNotes(id, newest.refetch)
  const older = useMutation({
    mutationFn: (beforeSeq: number) =>
      client.fetchQuery(
        workloads.events.queryOptions({ id, beforeSeq, limit: MORE_ENTRIES }, { staleTime: Number.POSITIVE_INFINITY }),
      ),
    onSuccess: (page) => setKnown((now) => mergeEvents(now, page)),
  })
  const oldest = events.at(-1)
  return {
    events,
    total: events[0]?.seq ?? 0,
    isPending: newest.isPending,
    error: newest.error ?? older.error,
    isFetching: newest.isFetching,
    hasOlder: hasOlder(events),
    isLoadingOlder: older.isPending,
    showOlder: () => oldest && older.mutate(oldest.seq),
    retry: () => void newest.refetch(),
  }
}

/** A note changes no version of its workload, so the cache cannot tell it from mere progress: it is looked for at each change. */
function useLiveNotes(id: string, refetch: () => Promise<unknown>): void {
  const { dataUpdatedAt } = useQuery({
    ...useTRPC().workloads.get.queryOptions({ id }),
    notifyOnChangeProps: ['dataUpdatedAt'],
  })
  const seenAt = useRef(dataUpdatedAt)
  useEffect(() => {
    if (seenAt.current === dataUpdatedAt) return
    seenAt.current = dataUpdatedAt
    const timer = setTimeout(() => void refetch(), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [dataUpdatedAt, refetch])
}
