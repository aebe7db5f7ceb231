'use client'
import dynamic from 'next/dynamic'
import { useSearchParams } from 'next/navigation'
import { useState } from 'react'
import { QueryFailed } from '@/components/api/query-failed'
import { cn } from '@/components/ui/cn'
import { PageHead } from '@/components/ui/page'
import { SkeletonRows } from '@/components/ui/skeleton'
import type { WorkloadView } from '@/domain/views'
import { COLUMNS } from './columns'
import { DeleteDialog, OutcomeDialog, RenameDialog } from './dialogs'
import { FilterBar } from './filter-bar'
import { LoadMore } from './load-more'
import { normalQuery } from './saved-views'
import { useListFilter } from './use-list-filter'
import { useSavedViews } from './use-saved-views'
import { useSelection } from './use-selection'
import { type Outcome, useWorkloadActions } from './use-workload-actions'
import { listSummary, useWorkloadList, type WorkloadList } from './use-workload-list'
import { ViewTabs } from './view-tabs'

// The table with its sorting is fetched while its rows are; the bar with the first selection.
const WorkloadsTable = dynamic(() => import('./workloads-table').then((m) => m.WorkloadsTable), {
  ssr: false,
  loading: () => <SkeletonRows rows={8} />,
})
const WorkloadCards = dynamic(() => import('./workload-card').then((m) => m.WorkloadCards), {
  ssr: false,
  loading: () => <SkeletonRows rows={6} className="md:hidden" />,
})
const NoWorkloads = dynamic(() => import('./no-workloads').then((m) => m.NoWorkloads), { ssr: false })
const ColumnMenu = dynamic(() => import('./column-menu').then((m) => m.ColumnMenu), { ssr: false })
const SaveView = dynamic(() => import('./save-view').then((m) => m.SaveView), { ssr: false })
const SelectionBar = dynamic(() => import('./selection-bar').then((m) => m.SelectionBar), { ssr: false })

/** Every workload that this person may see, live. */
export function WorkloadsPage() {
  const [filter, setFilter] = useListFilter()
  const query = useSearchParams().toString()
  const list = useWorkloadList(filter)
  const selection = useSelection(list.rows)
  const saved = useSavedViews()
  const [renaming, setRenaming] = useState<WorkloadView | null>(null)
  const [deleting, setDeleting] = useState<readonly WorkloadView[]>([])
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const actions = useWorkloadActions(setOutcome)
  const menu = { actions, onRename: setRenaming, onDelete: (workload: WorkloadView) => setDeleting([workload]) }
  const isSaved = query === '' || saved.views.some((view) => view.query === normalQuery(query))
  const sortedBy = filter.sort ? COLUMNS[filter.sort.id].label : null
  return (
    <div className="flex min-h-full flex-col">
      <PageHead
        title="Workloads"
        actions={<ColumnMenu columns={filter.columns} onChange={(columns) => setFilter({ columns })} />}
      />
      <ViewTabs view={filter.view} onChange={(view) => setFilter({ view })} saved={saved.views} onForget={saved.forget} />
      <FilterBar filter={filter} onChange={setFilter} summary={listSummary(list, sortedBy)}>
        {isSaved ? null : <SaveView onSave={(name) => saved.save({ name, query })} />}
      </FilterBar>
      <div
        className={cn(
          '-mx-6 -mb-6 flex flex-1 flex-col border-t border-line bg-surface max-md:mx-0 max-md:mb-0 max-md:border-0 max-md:bg-transparent',
          list.isStale && 'opacity-60',
        )}
      >
        <ListBody list={list} empty={<NoWorkloads filter={filter} onClear={() => setFilter({ kind: null, text: '' })} />}>
          <div className="max-md:hidden">
            <WorkloadsTable
              rows={list.rows}
              look={filter}
              onSort={(sort) => setFilter({ sort })}
              selection={selection}
              menu={menu}
            />
          </div>
          <WorkloadCards rows={list.rows} menu={menu} />
        </ListBody>
        <div className="flex-1" />
        {selection.rows.length > 0 ? <SelectionBar selection={selection} actions={actions} onDelete={setDeleting} /> : null}
      </div>
      <RenameDialog workload={renaming} onClose={() => setRenaming(null)} />
      <DeleteDialog targets={deleting} onClose={() => setDeleting([])} onDeleted={selection.clear} onPartly={setOutcome} />
      <OutcomeDialog outcome={outcome} onClose={() => setOutcome(null)} />
    </div>
  )
}

function ListBody({ list, empty, children }: { list: WorkloadList; empty: React.ReactNode; children: React.ReactNode }) {
  if (list.isPending) return <SkeletonRows rows={8} />
  if (list.error && list.rows.length === 0)
    return <QueryFailed error={list.error} what="Workloads" onRetry={list.retry} isRetrying={list.isFetching} />
  if (list.rows.length === 0) return empty
  return (
    <>
      {children}
      {list.hasMore ? <LoadMore isBusy={list.isFetching} onMore={list.loadMore} /> : null}
    </>
  )
}
