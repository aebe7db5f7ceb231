/** How a workload's hours count while it is in a state. */
type Metered = 'no' | 'storage' | 'yes'
type StateRow = {
  metered: Metered
  /** Holds a placement row that reserves capacity (`maybe`: until the machine confirmed or the look timer ended). */
  placed: 'no' | 'yes' | 'maybe'
  /** Is expected to leave by itself: has a progress timer and a force path. */
  transitional: boolean
  next: readonly string[]
}

/** Every state of a workload and where it may go. Source: the one table that `transition()` obeys. */
export const STATES = {
  queued: { metered: 'no', placed: 'no', transitional: false, next: ['provisioning', 'canceled', 'removing'] },
  provisioning: { metered: 'yes', placed: 'yes', transitional: true, next: ['running', 'queued', 'failed', 'lost', 'removing'] },
  running: {
    metered: 'yes',
    placed: 'yes',
    transitional: false,
    next: ['paused', 'parking', 'parked', 'failed', 'lost', 'removing'],
  },
  paused: { metered: 'yes', placed: 'yes', transitional: false, next: ['running', 'parking', 'parked', 'lost', 'removing'] },
  parking: { metered: 'yes', placed: 'yes', transitional: true, next: ['parked', 'lost', 'removing'] },
  parked: { metered: 'storage', placed: 'no', transitional: false, next: ['queued', 'removing'] },
  removing: { metered: 'no', placed: 'maybe', transitional: true, next: ['removed'] },
  failed: { metered: 'no', placed: 'maybe', transitional: false, next: ['queued', 'removing'] },
  lost: { metered: 'no', placed: 'no', transitional: false, next: ['queued', 'running', 'removing'] },
  removed: { metered: 'no', placed: 'no', transitional: false, next: [] },
  canceled: { metered: 'no', placed: 'no', transitional: false, next: [] },
} as const satisfies Record<string, StateRow>

export type State = keyof typeof STATES
/** The names of the rows, for schemas and loops. */
export const STATE_NAMES = Object.keys(STATES) as [State, ...State[]]

/** Nothing of it runs or is being made, and it may start again: what it is made of can be changed. */
export const AT_REST: readonly State[] = ['queued', 'parked', 'failed', 'lost']

/** May a workload go from one state to the other in one step? */
export function canMove(from: State, to: State): boolean {
  const next: readonly string[] = STATES[from].next
  return next.includes(to)
}

/** A terminal state is never left; its workload's name is free again. */
export function isTerminal(state: State): boolean {
  return STATES[state].next.length === 0
}
