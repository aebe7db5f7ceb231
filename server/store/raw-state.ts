import { DbNull } from '@prisma/client/runtime/client'
import type { Reason } from '@/domain/reasons'
import { isTerminal, type State } from '@/domain/states'
import type { Tx } from './db'
import { json } from './json'
import type { StatePatch } from './state-patch'

export type RawMove = {
  id: string
  from: State
  version: number
  /** Given: the row must still have this placement. */
  placementId?: string | undefined
  to: State
  reason: Reason
  at: Date
  patch: StatePatch
}

/**
 * The compare-and-set of a state; only `service/transition.ts` may import it. Returns the event's sequence number, or
 * null when the row is not at that state, version and placement any more.
 */
export async function moveState(tx: Tx, tenantId: string, move: RawMove): Promise<number | null> {
  const rows = await tx.workload.updateManyAndReturn({
    where: {
      id: move.id,
      tenantId,
      state: move.from,
      version: move.version,
      ...(move.placementId === undefined ? {} : { placementId: move.placementId }),
    },
    data: {
      // A stop is planned for a run that is up; whatever ends it ends the plan.
      ...(move.to === 'running' || move.to === 'paused' ? {} : { stopAt: null, stopWhy: null }),
      looksUntil: null,
      ...move.patch,
      state: move.to,
      stateSince: move.at,
      version: { increment: 1 },
      eventSeq: { increment: 1 },
      reason: json(move.reason),
      reasonAt: move.at,
      progress: DbNull,
      progressAt: move.at,
      ...(isTerminal(move.to) ? { liveName: null } : {}),
    },
    select: { eventSeq: true },
  })
  return rows[0]?.eventSeq ?? null
}

/** Takes the next sequence number for a note; null when the workload, or its given placement, is gone. */
export async function takeSequence(
  tx: Tx,
  tenantId: string,
  taken: { id: string; placementId?: string | undefined; shown: { reason: Reason; at: Date } | null },
): Promise<number | null> {
  const rows = await tx.workload.updateManyAndReturn({
    where: { id: taken.id, tenantId, ...(taken.placementId === undefined ? {} : { placementId: taken.placementId }) },
    data: {
      eventSeq: { increment: 1 },
      ...(taken.shown ? { reason: json(taken.shown.reason), reasonAt: taken.shown.at } : {}),
    },
    select: { eventSeq: true },
  })
  return rows[0]?.eventSeq ?? null
}
