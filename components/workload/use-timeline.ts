'use client'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/components/api/client'
import type { WorkloadEvent } from '@/domain/workloads'

/** Lines of one answer of the API. */
const PAGE = 200
const SHOWN_FIRST = 12
const SHOWN_MORE = 50
const PAGES_MAX = 25

export type Timeline = {
  /** Newest first. */
  events: readonly WorkloadEvent[]
  total: number
  isPending: boolean
  error: unknown
  hasOlder: boolean
  showOlder: () => void
  retry: () => void
  isFetching: boolean
}

/** The timeline of a workload, live. The API tells it oldest first; a page wants the newest. */
export function useTimeline(id: string, shownFirst = SHOWN_FIRST): Timeline {
  const trpc = useTRPC()
  const [shown, setShown] = useState(shownFirst)
  const [starts, setStarts] = useState<readonly number[]>([0])
  const queries = useQueries({ queries: starts.map((afterSeq) => trpc.workloads.events.queryOptions({ id, afterSeq })) })
  const pages = queries.flatMap((query) => (query.data ? [query.data] : []))
  const last = pages.at(-1)
  const lastSeq = last?.at(-1)?.seq
  const isFull = pages.length === starts.length && last?.length === PAGE && starts.length < PAGES_MAX
  if (isFull && lastSeq !== undefined && !starts.includes(lastSeq)) setStarts([...starts, lastSeq])
  const events = pages.flat().reverse()
  return {
    events: events.slice(0, shown),
    total: events.length,
    isPending: queries.some((query) => query.isPending),
    error: queries.find((query) => query.error)?.error ?? null,
    isFetching: queries.some((query) => query.isFetching),
    hasOlder: events.length > shown,
    showOlder: () => setShown(shown + SHOWN_MORE),
    retry: () => queries.forEach((query) => void query.refetch()),
  }
}
