import type { State } from '@/domain/states'
import type { OperationKind, OperationOutcome } from '@/server/store/operations'

const STARTS: readonly OperationKind[] = ['resume', 'restart', 'recover']

/**
 * Which open operation a state ends, and how. A state without a row ends none. A restart goes on behind `parked`: its
 * stop is half of it.
 */
export const SETTLES: { readonly [S in State]?: readonly { kinds: readonly OperationKind[]; outcome: OperationOutcome }[] } = {
  running: [{ kinds: STARTS, outcome: 'done' }],
  paused: [{ kinds: ['pause'], outcome: 'done' }],
  parked: [
    { kinds: ['park'], outcome: 'done' },
    { kinds: ['pause', 'resume', 'recover'], outcome: 'failed' },
  ],
  failed: [{ kinds: [...STARTS, 'park', 'pause'], outcome: 'failed' }],
  lost: [{ kinds: [...STARTS, 'park', 'pause'], outcome: 'failed' }],
  removed: [{ kinds: ['delete'], outcome: 'done' }],
  canceled: [{ kinds: ['delete'], outcome: 'done' }],
}
