'use client'
import { BookOpen, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { QueryFailed } from '@/components/api/query-failed'
import { bytesText } from '@/components/ui/bytes'
import { cn } from '@/components/ui/cn'
import { Empty } from '@/components/ui/empty'
import { ErrorState } from '@/components/ui/error-state'
import { IconButton } from '@/components/ui/icon-button'
import { Panel, PanelHead } from '@/components/ui/panel'
import { SkeletonRows } from '@/components/ui/skeleton'
import { Moment } from '@/components/ui/time'
import { LIMITS } from '@/domain/limits'
import type { WorkloadView } from '@/domain/views'
import { Refused } from '../logs/data-host'
import { plainLine } from '../logs/plain-line'
import { NotebookCells } from './notebook-cells'
import { type Saved, useSavedList, useSavedNotebook } from './use-outputs'

/** What a notebook's files say without opening it: also while it is parked, and for whom it is only shared to look at. */
export function OutputsPanel({ workload }: { workload: WorkloadView }) {
  const list = useSavedList(workload)
  const [path, setPath] = useState<string | null>(null)
  const notebooks = list.data?.notebooks ?? []
  // Before its first start is far enough there is no workspace to look into.
  const isNone = list.error ? isNotFound(list.error) : notebooks.length === 0
  const chosen = notebooks.find((saved) => saved.path === path) ?? notebooks[0] ?? null
  return (
    <Panel aria-label="Outputs">
      <PanelHead title="Outputs" meta="as they were saved">
        <IconButton icon={RotateCw} label="Look again" onClick={() => void list.refetch()} disabled={list.isFetching} />
      </PanelHead>
      {list.isPending ? <SkeletonRows rows={4} /> : null}
      {list.error && !isNone ? <Failed error={list.error} what="The outputs" query={list} /> : null}
      {!list.isPending && isNone ? <NoneSaved /> : null}
      {chosen === null ? null : (
        <div className="grid md:grid-cols-[16rem_minmax(0,1fr)]">
          <Choice notebooks={notebooks} chosen={chosen} onChoose={setPath} isComplete={list.data?.isComplete ?? true} />
          <Shown key={chosen.path} workload={workload} saved={chosen} />
        </div>
      )}
    </Panel>
  )
}

function isNotFound(error: Error): boolean {
  return error instanceof Refused && error.code === 'not_found'
}

function NoneSaved() {
  return (
    <Empty icon={BookOpen} title="No notebook was saved yet">
      Once one is saved in its workspace, what its cells put out is here.
    </Empty>
  )
}

type ChoiceProps = { notebooks: readonly Saved[]; chosen: Saved; onChoose: (path: string) => void; isComplete: boolean }

function Choice({ notebooks, chosen, onChoose, isComplete }: ChoiceProps) {
  return (
    <nav aria-label="Notebooks" className="border-line max-md:border-b md:border-r">
      <ul className="max-h-160 overflow-y-auto py-1 max-md:max-h-44">
        {notebooks.map(({ path, at, bytes }) => (
          <li key={path}>
            <button
              type="button"
              aria-current={path === chosen.path}
              onClick={() => onChoose(path)}
              className={cn(
                'flex min-h-10 w-full flex-col px-4 py-1 text-left focus-visible:-outline-offset-2',
                path === chosen.path ? 'bg-accent-soft' : 'hover:bg-hover',
              )}
            >
              <span className="font-medium [overflow-wrap:anywhere]">{plainLine(path)}</span>
              <span className="text-small text-ink-3">
                <Moment at={at} shape="near" />, {bytesText(bytes)}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {isComplete ? null : (
        <p className="border-t border-line px-4 py-1 text-small text-ink-3">There are more; these are the latest.</p>
      )}
    </nav>
  )
}

function Shown({ workload, saved }: { workload: WorkloadView; saved: Saved }) {
  const notebook = useSavedNotebook(workload, saved)
  if (saved.bytes > LIMITS.notebookBytesMax) {
    const most = `It has ${bytesText(saved.bytes)}; up to ${bytesText(LIMITS.notebookBytesMax)} are shown here.`
    return <ErrorState title="This notebook is too large to be shown here" detail={most} />
  }
  if (notebook.error) return <Failed error={notebook.error} what="This notebook" query={notebook} />
  if (notebook.isPending) return <SkeletonRows rows={6} />
  if (notebook.data === null) {
    return <ErrorState title="This file cannot be read as a notebook" detail="It may be half written; JupyterLab says more." />
  }
  if (notebook.data.cells.length === 0) return <Empty icon={BookOpen} title="This notebook is empty" />
  return <NotebookCells notebook={notebook.data} />
}

type FailedProps = { error: Error; what: string; query: { refetch: () => unknown; isFetching: boolean } }

/** The data host says why in a sentence; anything else means that nothing answered. */
function Failed({ error, what, query }: FailedProps) {
  const again = { onRetry: () => void query.refetch(), isRetrying: query.isFetching }
  if (!(error instanceof Refused)) return <QueryFailed error={error} what={what} {...again} />
  return <ErrorState title={`${what} cannot be read now`} detail={error.message} {...again} />
}
