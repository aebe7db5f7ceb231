'use client'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Layers, Plus, SearchX } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import { useTRPC, useTRPCClient } from '@/components/api/client'
import { QueryFailed } from '@/components/api/query-failed'
import { Button, buttonClass } from '@/components/ui/button'
import { cn } from '@/components/ui/cn'
import { Empty } from '@/components/ui/empty'
import { PageHead } from '@/components/ui/page'
import { SkeletonRows } from '@/components/ui/skeleton'
import type { WorkloadView } from '@/domain/views'
import { DeleteDialog, RenameDialog } from './dialogs'
import { FilterBar } from './filter-bar'
import { SelectionBar } from './selection-bar'
import { useListFilter } from './use-list-filter'
import { useSelection } from './use-selection'
import { useWorkloadActions } from './use-workload-actions'
import { ViewTabs } from './view-tabs'
import { type ListFilter, listInput, VIEWS } from './views'
import { WorkloadCard } from './workload-card'
import { WorkloadsTable } from './workloads-table'

/** Every workload that this person may see, live. */
export function WorkloadsPage() {
  const [filter, setFilter] = useListFilter()
  const list = useWorkloadList(filter)
  const selection = useSelection(list.rows)
  const [renaming, setRenaming] = useState<WorkloadView | null>(null)
  const [deleting, setDeleting] = useState<readonly WorkloadView[]>([])
  const actions = useWorkloadActions()
  const menu = { actions, onRename: setRenaming, onDelete: (workload: WorkloadView) => setDeleting([workload]) }
  const isFiltered = filter.kind !== null || filter.text !== ''
  return (
    <div className="flex min-h-full flex-col">
      <PageHead title="Workloads" />
      <ViewTabs view={filter.view} onChange={(view) => setFilter({ view })} />
      <FilterBar filter={filter} onChange={setFilter} summary={summaryOf(list)} />
      <div
        className={cn(
          '-mx-6 -mb-6 flex flex-1 flex-col border-t border-line bg-surface max-md:mx-0 max-md:mb-0 max-md:border-0 max-md:bg-transparent',
          list.isStale && 'opacity-60',
        )}
      >
        <ListBody list={list} filter={filter} isFiltered={isFiltered} onClear={() => setFilter({ kind: null, text: '' })}>
          <div className="max-md:hidden">
            <WorkloadsTable rows={list.rows} selection={selection} menu={menu} />
          </div>
          <ul className="flex flex-col gap-2 md:hidden">
            {list.rows.map((row) => (
              <WorkloadCard key={row.id} workload={row} menu={menu} />
            ))}
          </ul>
        </ListBody>
        <div className="flex-1" />
        <SelectionBar selection={selection} actions={actions} onDelete={setDeleting} />
      </div>
      <RenameDialog workload={renaming} onClose={() => setRenaming(null)} />
      <DeleteDialog targets={deleting} onClose={() => setDeleting([])} onDeleted={selection.clear} />
    </div>
  )
}

type List = ReturnType<typeof useWorkloadList>

function useWorkloadList(filter: ListFilter) {
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
  return {
    rows: query.data?.pages.flatMap((page) => page.rows) ?? [],
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

type BodyProps = { list: List; filter: ListFilter; isFiltered: boolean; onClear: () => void; children: React.ReactNode }

function ListBody({ list, filter, isFiltered, onClear, children }: BodyProps) {
  if (list.isPending) return <SkeletonRows rows={8} />
  if (list.error && list.rows.length === 0)
    return <QueryFailed error={list.error} what="Workloads" onRetry={list.retry} isRetrying={list.isFetching} />
  if (list.rows.length === 0) return <Nothing filter={filter} isFiltered={isFiltered} onClear={onClear} />
  return (
    <>
      {children}
      {list.hasMore ? (
        <div className="flex justify-center py-3">
          <Button size="sm" isBusy={list.isFetching} onClick={list.loadMore}>
            Load older
          </Button>
        </div>
      ) : null}
    </>
  )
}

function Nothing({ filter, isFiltered, onClear }: Pick<BodyProps, 'filter' | 'isFiltered' | 'onClear'>) {
  if (isFiltered) {
    return (
      <Empty
        icon={SearchX}
        title="Nothing matches"
        action={
          <Button size="sm" onClick={onClear}>
            Clear the filters
          </Button>
        }
      >
        No workload in “{VIEWS[filter.view].label}” has this name and kind.
      </Empty>
    )
  }
  return (
    <Empty
      icon={Layers}
      title={VIEWS[filter.view].empty}
      action={
        <>
          <Link href="/new?kind=notebook" className={buttonClass({ size: 'sm' })}>
            <Plus className="size-3.5 shrink-0 text-ink-2" aria-hidden />
            Open a notebook
          </Link>
          <Link href="/new?kind=session" className={buttonClass({ size: 'sm' })}>
            <Plus className="size-3.5 shrink-0 text-ink-2" aria-hidden />
            Start a session
          </Link>
        </>
      }
    >
      A notebook or a session is two clicks away.
    </Empty>
  )
}

function summaryOf({ rows, hasMore, isPending, error }: List): string {
  if (isPending || (error && rows.length === 0)) return ''
  const n = rows.length
  return `${n}${hasMore ? ' newest' : ''} ${n === 1 ? 'workload' : 'workloads'}${n > 1 && !hasMore ? ', newest first' : ''}`
}
