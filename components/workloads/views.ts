import type { KIND_NAMES } from '@/domain/kinds'
import { LIMITS } from '@/domain/limits'
import { isTerminal, STATE_NAMES, type State } from '@/domain/states'
import type { ListWorkloadsInput } from '@/domain/workloads'

type ViewRow = { label: string; states: readonly State[]; mine?: true; empty: string }

const LIVE = STATE_NAMES.filter((state) => !isTerminal(state))

/** The saved views of the list, as tabs. */
export const VIEWS = {
  live: { label: 'All live', states: LIVE, empty: 'Nothing runs or waits' },
  mine: { label: 'Mine', states: LIVE, mine: true, empty: 'You have nothing that runs or waits' },
  running: { label: 'Running', states: ['provisioning', 'running', 'paused'], empty: 'Nothing runs' },
  waiting: { label: 'Waiting', states: ['queued'], empty: 'Nothing waits' },
  parked: { label: 'Parked', states: ['parking', 'parked'], empty: 'Nothing is parked' },
  broken: { label: 'Needs someone', states: ['failed', 'lost'], empty: 'Nothing failed and nothing is lost' },
  ended: { label: 'Ended', states: ['removing', 'removed', 'canceled'], empty: 'Nothing has ended yet' },
} as const satisfies Record<string, ViewRow>
export type View = keyof typeof VIEWS
export const VIEW_NAMES = Object.keys(VIEWS) as [View, ...View[]]

/** What the URL says about the list. */
export type ListFilter = { view: View; kind: (typeof KIND_NAMES)[number] | null; text: string }

/** The filter as the API takes it: all of it inside the query. Pure. */
export function listInput({ view, kind, text }: ListFilter): Omit<ListWorkloadsInput, 'cursor' | 'limit'> {
  const row: ViewRow = VIEWS[view]
  const wanted = text.trim().slice(0, LIMITS.nameChars)
  return {
    ...(view === 'live' || view === 'mine' ? {} : { states: [...row.states] }),
    ...(row.states.some(isTerminal) && { ended: true }),
    ...(row.mine && { mine: true }),
    ...(kind && { kinds: [kind] }),
    ...(wanted && { text: wanted }),
  }
}

/** How many rows a view has, from the counts by state; null where they do not say. Pure. */
export function countOf(view: View, counts: Partial<Record<State, number>> | undefined): number | null {
  const row: ViewRow = VIEWS[view]
  if (!counts || row.mine) return null
  return row.states.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
}
