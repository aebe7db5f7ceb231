import type { Action as Permission } from '@/domain/permissions'
import type { State } from '@/domain/states'
import { isTerminal, STATE_NAMES } from '@/domain/states'
import type { MachineView, WorkloadView } from '@/domain/views'

/** What decides about an action. */
export type ActionTarget = Pick<WorkloadView, 'state' | 'may' | 'kind' | 'exitCode' | 'placement' | 'stopWhy'>

/** What a person can do with a workload from its row or its page. */
type ActionRow = {
  label: string
  needs: Permission
  states: readonly State[]
  /** What it takes besides the state. */
  when?: (workload: ActionTarget) => boolean
  /** Why it cannot be done in the other states. */
  otherwise: string
}

const LIVE: readonly State[] = STATE_NAMES.filter((state) => !isTerminal(state))
const isPausing = ({ placement }: ActionTarget) => placement?.want === 'pause'

/** The one table of what can be done when. The server decides; this says beforehand what it will say. */
export const ACTIONS = {
  open: { label: 'Open', needs: 'workload.open', states: ['running', 'provisioning'], otherwise: 'It does not run' },
  keep: {
    label: 'Keep',
    needs: 'workload.operate',
    states: ['running'],
    when: ({ stopWhy }) => stopWhy === 'idle',
    otherwise: 'No idle stop is near',
  },
  pause: {
    label: 'Pause',
    needs: 'workload.operate',
    states: ['running'],
    when: (workload) => !isPausing(workload) && workload.exitCode === null,
    otherwise: 'Only what runs can be paused',
  },
  park: { label: 'Park', needs: 'workload.operate', states: ['running', 'paused'], otherwise: 'Only what runs can be parked' },
  resume: {
    label: 'Resume',
    needs: 'workload.operate',
    states: ['parked', 'paused', 'running'],
    when: (workload) => workload.state !== 'running' || isPausing(workload),
    otherwise: 'Only what is parked or paused can be resumed',
  },
  restart: {
    label: 'Restart',
    needs: 'workload.operate',
    states: ['failed', 'running'],
    when: ({ state, exitCode }) => state === 'failed' || exitCode !== null,
    otherwise: 'Only what failed or ended can be restarted',
  },
  renew: {
    label: 'Restart…',
    needs: 'workload.operate',
    states: ['running'],
    when: ({ placement }) => placement?.needsRestart === true,
    otherwise: 'It runs in the present version of Berth',
  },
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

/** What starts something that stands still, in the order in which it is offered. */
export const STARTS = ['resume', 'restart', 'recover'] as const satisfies readonly WorkloadAction[]

/** Can this person do that with this workload now, and if not, why. Pure. */
export function availability(action: WorkloadAction, workload: ActionTarget): Availability {
  const row: ActionRow = ACTIONS[action]
  // Whoever may watch a session may open its terminal: as a viewer.
  const isAllowed =
    workload.may.includes(row.needs) ||
    (action === 'open' && workload.kind === 'session' && workload.may.includes('workload.watch'))
  if (!isAllowed) return { can: false, isAllowed, why: 'You may not do this' }
  const isTime = row.states.includes(workload.state) && (row.when?.(workload) ?? true)
  return isTime ? { can: true, isAllowed, why: null } : { can: false, isAllowed, why: row.otherwise }
}

/** Can its machine freeze programs in memory? False while nothing is known of it. Pure. */
export function canFreeze({ placement }: Pick<WorkloadView, 'placement'>, machines: readonly MachineView[]): boolean {
  const machine = machines.find(({ id }) => id === placement?.machineId)
  return machine?.inventory?.drivers.find(({ row }) => row === placement?.driver)?.canPause === true
}

/** The rows that an action on a selection would touch; the others stay as they are. Pure. */
export function touched<W extends ActionTarget>(action: WorkloadAction, selection: readonly W[]): W[] {
  return selection.filter((workload) => availability(action, workload).can)
}
