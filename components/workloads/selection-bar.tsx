'use client'
import { CircleParking, type LucideIcon, RotateCw, TimerReset, Trash2 } from 'lucide-react'
import { useEffect } from 'react'
import { stateLook } from '@/components/frame/state-look'
import { Button } from '@/components/ui/button'
import { Kbd } from '@/components/ui/kbd'
import type { WorkloadView } from '@/domain/views'
import { touched, type WorkloadAction } from './actions'
import type { Selection } from './use-selection'
import type { WorkloadActions } from './use-workload-actions'

type Props = {
  selection: Selection<WorkloadView>
  actions: WorkloadActions
  onDelete: (targets: readonly WorkloadView[]) => void
}

type ActRow = {
  action: WorkloadAction
  icon: LucideIcon
  label: string
  run: (actions: WorkloadActions, targets: readonly WorkloadView[]) => Promise<boolean>
}

const ACTS: readonly ActRow[] = [
  { action: 'keep', icon: TimerReset, label: 'Keep', run: (actions, targets) => actions.keep(targets) },
  { action: 'park', icon: CircleParking, label: 'Park', run: (actions, targets) => actions.park(targets) },
  { action: 'resume', icon: RotateCw, label: 'Resume', run: (actions, targets) => actions.resumeAll(targets) },
]

/** What can be done with the selected rows. Each button counts the rows that it can touch; one that can touch none is away. */
export function SelectionBar({ selection, actions, onDelete }: Props) {
  const { rows, clear } = selection
  useEscape(clear)
  const clearAfter = (isDone: Promise<boolean>) => void isDone.then((all) => all && clear())
  const deletable = touched('delete', rows)
  return (
    <section
      aria-label="Selected workloads"
      className="overlay-in sticky bottom-4 z-20 mx-auto flex h-11 w-fit items-center gap-2 rounded-md bg-raised pr-2 pl-4 whitespace-nowrap shadow-overlay max-md:hidden"
    >
      <span className="font-medium" role="status">
        <span className="num">{rows.length}</span> selected
      </span>
      <span className="text-small text-ink-3">{summary(rows)}</span>
      <span className="mx-1 h-5 w-px bg-line" />
      {ACTS.map(({ action, icon, label, run }) => (
        <Act
          key={action}
          icon={icon}
          label={label}
          targets={touched(action, rows)}
          isBusy={actions.isBusy}
          onAct={(targets) => clearAfter(run(actions, targets))}
        />
      ))}
      {deletable.length > 0 ? (
        <Button size="sm" kind="danger" onClick={() => onDelete(deletable)}>
          <Trash2 className="size-3.5 shrink-0" aria-hidden />
          Delete {deletable.length}…
        </Button>
      ) : null}
      <span className="mx-1 h-5 w-px bg-line" />
      <Button size="sm" kind="ghost" onClick={clear}>
        Clear <Kbd>Esc</Kbd>
      </Button>
    </section>
  )
}

type ActProps = {
  icon: LucideIcon
  label: string
  targets: readonly WorkloadView[]
  isBusy: boolean
  onAct: (targets: readonly WorkloadView[]) => void
}

function Act({ icon: Icon, label, targets, isBusy, onAct }: ActProps) {
  if (targets.length === 0) return null
  return (
    <Button size="sm" disabled={isBusy} onClick={() => onAct(targets)}>
      <Icon className="size-3.5 shrink-0 text-ink-2" aria-hidden />
      {label} {targets.length}
    </Button>
  )
}

/** Escape clears the selection, unless it closes something that lies over it. */
function useEscape(clear: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isInOverlay = event.target instanceof Element && event.target.closest('[role=dialog], [role=menu], input') !== null
      if (event.key === 'Escape' && !event.defaultPrevented && !isInOverlay) clear()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [clear])
}

/** "1 waiting, 2 running". */
function summary(rows: readonly WorkloadView[]): string {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const word = stateLook({ state: row.state, reason: null }).word.toLowerCase()
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts].map(([word, n]) => `${n} ${word}`).join(', ')
}
