import { v7 } from 'uuid'
import { AppError } from '@/domain/errors'
import type { Reason } from '@/domain/reasons'
import { canMove, type State } from '@/domain/states'
import type { Workload, WorkloadEvent } from '@/domain/workloads'
import { raiseCounter } from '@/server/store/counter'
import type { Tx } from '@/server/store/db'
import { appendEvent } from '@/server/store/events'
import { endOperation } from '@/server/store/operations'
import { moveState, takeSequence } from '@/server/store/raw-state'
import { storableReason } from '@/server/store/reasons'
import type { StatePatch } from '@/server/store/state-patch'
import { findWorkload } from '@/server/store/workloads'
import { SETTLES } from './settlement'

export type Actor = {
  /** Who did it. Default: the controller. */
  actor?: WorkloadEvent['actor']
  actorId?: string
  /** The instance that the caller acts for: the row must still have this placement. */
  placementId?: string
}

/**
 * The only writer of a state: a compare-and-set on the version (and on the placement when given), the event, the change
 * signal and the end of the operation that asked for it, all in the caller's transaction. A race that was lost to
 * somebody who moved the row to the same state is success. Errors: conflict.
 */
// biome-ignore lint/complexity/useMaxParams: the one exception; every call reads as a sentence.
export async function transition(
  tx: Tx,
  workload: Workload,
  to: State,
  reason: Reason,
  at: Date,
  opts: Actor & { patch?: StatePatch } = {},
): Promise<Workload> {
  if (!canMove(workload.state, to)) return settled(tx, workload, { to, placementId: opts.placementId })
  const stored = await storableReason(tx, workload.tenantId, reason)
  const { id, version } = workload
  const { placementId, patch = {} } = opts
  const move = { id, version, from: workload.state, to, reason: stored, at, placementId, patch }
  const seq = await moveState(tx, workload.tenantId, move)
  if (seq === null) return settled(tx, workload, { to, placementId })
  await record(tx, workload, { ...opts, seq, at, reason: stored, from: workload.state, to })
  for (const end of SETTLES[to] ?? []) await endOperation(tx, workload.tenantId, { ...end, workloadId: id, at })
  return reread(tx, workload)
}

/** Records a decision that changes nothing: an event and the change signal. `isShown` makes it the reason that pages show. Errors: conflict. */
// biome-ignore lint/complexity/useMaxParams: the twin of transition().
export async function note(
  tx: Tx,
  workload: Workload,
  reason: Reason,
  at: Date,
  opts: Actor & { isShown?: boolean } = {},
): Promise<void> {
  const stored = await storableReason(tx, workload.tenantId, reason)
  const shown = opts.isShown ? { reason: stored, at } : null
  const seq = await takeSequence(tx, workload.tenantId, { id: workload.id, placementId: opts.placementId, shown })
  if (seq === null) throw changedMeanwhile()
  await record(tx, workload, { ...opts, seq, at, reason: stored, from: null, to: null })
}

/** The first event of a workload that this transaction inserted as queued. */
export async function recordCreation(
  tx: Tx,
  created: { tenantId: string; id: string; reason: Reason; at: Date; actorId: string },
): Promise<void> {
  const { tenantId, id, reason, at, actorId } = created
  const seq = await takeSequence(tx, tenantId, { id, shown: { reason, at } })
  if (seq === null) throw changedMeanwhile()
  await record(tx, { id, tenantId }, { actor: 'person', actorId, seq, at, reason, from: null, to: 'queued' })
}

type Entry = Actor & { seq: number; at: Date; reason: Reason; from: State | null; to: State | null }

/** The counter is raised before the event is written, so that the event can carry the number it raised. */
async function record(tx: Tx, workload: { id: string; tenantId: string }, entry: Entry): Promise<void> {
  const changeNo = await raiseCounter(tx)
  await appendEvent(tx, workload.tenantId, {
    id: v7(),
    workloadId: workload.id,
    seq: entry.seq,
    changeNo,
    at: entry.at,
    from: entry.from,
    to: entry.to,
    reason: entry.reason,
    actor: entry.actor ?? 'controller',
    actorId: entry.actorId ?? null,
  })
}

/** Nothing was written. Fine when the row is where it should go, and not by another instance. */
async function settled(tx: Tx, workload: Workload, wanted: { to: State; placementId: string | undefined }): Promise<Workload> {
  const now = await reread(tx, workload)
  const isSameInstance = wanted.placementId === undefined || now.placement === null || now.placement.id === wanted.placementId
  if (now.state === wanted.to && isSameInstance) return now
  throw changedMeanwhile()
}

async function reread(tx: Tx, workload: Workload): Promise<Workload> {
  const row = await findWorkload(tx, workload.tenantId, workload.id)
  if (!row) throw new AppError('not_found', { what: 'workload' })
  return row
}

function changedMeanwhile(): AppError<'conflict'> {
  return new AppError('conflict', { why: 'it changed meanwhile; look again' })
}
