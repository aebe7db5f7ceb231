import type { Action as Permission } from '@/domain/permissions'
import type { State } from '@/domain/states'
import { isTerminal, STATE_NAMES } from '@/domain/states'
import type { WorkloadView } from '@/domain/views'

/** What a person can do with a workload from its row or its page. */
type ActionRow = {
  label: string
  needs: Permission
  states: readonly State[]
  /** Why it cannot be done in the other states. */
  otherwise: string
}

const LIVE: readonly State[] = STATE_NAMES.filter((state) => !isTerminal(state))

/** The one table of what can be done when. The server decides; this says beforehand what it will say. */
export const ACTIONS = {
  open: { label: 'Open', needs: 'workload.open', states: ['running', 'provisioning'], otherwise: 'It does not run' },
  park: { label: 'Park', needs: 'workload.operate', states: ['running', 'paused'], otherwise: 'Only what runs can be parked' },
  resume: { label: 'Resume', needs: 'workload.operate', states: ['parked'], otherwise: 'Only what is parked can be resumed' },
  restart: { label: 'Restart', needs: 'workload.operate', states: ['failed'], otherwise: 'Only what failed can be restarted' },
  recover: { label: 'Recover', needs: 'workload.operate', states: ['lost'], otherwise: 'Only what is lost can be recovered' },
  rename: { label: 'Rename…', needs: 'workload.settings', states: LIVE, otherwise: 'It has ended' },
  delete: {
    label: 'Delete…',
    needs: 'workload.delete',
    states: LIVE.filter((state) => state !== 'removing'),
    otherwise: 'It is already being removed',
  },
} as const satisfies Record<string, ActionRow>
export type WorkloadAction = keyof typeof ACTIONS
export type Availability = { can: boolean; isAllowed: boolean; why: string | null }

/** Can this person do that with this workload now, and if not, why. Pure. */
export function availability(action: WorkloadAction, workload: Pick<WorkloadView, 'state' | 'may' | 'kind'>): Availability {
  const row: ActionRow = ACTIONS[action]
  // Whoever may watch a session may open its terminal: as a viewer.
  const isAllowed =
    workload.may.includes(row.needs) ||
    (action === 'open' && workload.kind === 'session' && workload.may.includes('workload.watch'))
  if (!isAllowed) return { can: false, isAllowed, why: 'You may not do this' }
  if (!row.states.includes(workload.state)) return { can: false, isAllowed, why: row.otherwise }
  return { can: true, isAllowed, why: null }
}

/** The rows that an action on a selection would touch; the others stay as they are. Pure. */
export function touched<W extends Pick<WorkloadView, 'state' | 'may' | 'kind'>>(
  action: WorkloadAction,
  selection: readonly W[],
): W[] {
  return selection.filter((workload) => availability(action, workload).can)
}
