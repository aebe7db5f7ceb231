'use client'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTRPC, useTRPCClient } from '@/components/api/client'
import { type ListFilter, listInput } from './views'

export type WorkloadList = ReturnType<typeof useWorkloadList>

/** The rows of a filter, newest first, loaded page by page. */
export function useWorkloadList(filter: ListFilter) {
  const trpc = useTRPC()
  const client = useTRPCClient()
  const input = listInput(filter)
  const query = useInfiniteQuery({
    queryKey: trpc.workloads.list.infiniteQueryKey(input),
    // Asked by hand: the input is strict and knows no direction, which the ready-made options would add.
    queryFn: ({ pageParam, signal }) =>
      client.workloads.list.query({ ...input, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
  })
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.rows) ?? [], [query.data])
  return {
    rows,
    isPending: query.isPending,
    /** Rows of the filter before this one, until the new ones are here. */
    isStale: query.isPlaceholderData,
    error: query.error,
    isFetching: query.isFetching,
    hasMore: query.hasNextPage,
    retry: () => void query.refetch(),
    loadMore: () => void query.fetchNextPage(),
  }
}

/** "12 workloads, newest first". Pure. */
export function listSummary({ rows, hasMore, isPending, error }: WorkloadList, sortedBy: string | null): string {
  if (isPending || (error && rows.length === 0)) return ''
  const n = rows.length
  const order = n < 2 ? '' : sortedBy === null ? ', newest first' : `, by ${sortedBy.toLowerCase()}`
  return `${n}${hasMore ? ' loaded' : ''} ${n === 1 ? 'workload' : 'workloads'}${order}`
}
