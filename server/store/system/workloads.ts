import { isDeepStrictEqual } from 'node:util'
import type { Reason } from '@/domain/reasons'
import { STATE_NAMES, type State } from '@/domain/states'
import type { Progress, Workload } from '@/domain/workloads'
import type { Tx } from '../db'
import { json, jsonOrNull } from '../json'
import { withPlacements } from '../placements'
import { storableReason } from '../reasons'
import { workloadColumns } from '../rows'

const RESTING: readonly State[] = ['parked', 'failed', 'removed', 'canceled']
const OPEN = STATE_NAMES.filter((state) => !RESTING.includes(state))

/** Every workload that the controller looks at: all but resting ones, and failed ones that still hold a placement. Oldest first. */
export async function openWorkloads(db: Tx): Promise<Workload[]> {
  const rows = await db.workload.findMany({
    where: { OR: [{ state: { in: OPEN } }, { state: 'failed', placementId: { not: null } }] },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: workloadColumns,
  })
  return withPlacements(db, rows)
}

/** Every workload whose present placement is on that machine, whatever its tenant. */
export async function heldOn(tx: Tx, machineId: string): Promise<Workload[]> {
  const rows = await tx.workload.findMany({
    where: { placementId: { not: null }, placements: { some: { machineId, releasedAt: null } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: workloadColumns,
  })
  return (await withPlacements(tx, rows)).filter((workload) => workload.placement?.machineId === machineId)
}

/** One workload by id, whatever its tenant. */
export async function workloadById(db: Tx, id: string): Promise<Workload | null> {
  const row = await db.workload.findUnique({ where: { id }, select: workloadColumns })
  return row && ((await withPlacements(db, [row]))[0] ?? null)
}

/** The workload of a host name. */
export async function workloadByLabel(db: Tx, label: string): Promise<Workload | null> {
  const row = await db.workload.findUnique({ where: { label }, select: workloadColumns })
  return row && ((await withPlacements(db, [row]))[0] ?? null)
}

/**
 * Keeps the newest progress of one placement. No change signal: pages ask again while something moves. `progressAt`
 * moves only when the progress did, so its age is the time without progress. False: the placement is not in use any more.
 */
export async function saveProgress(
  db: Tx,
  seen: { workloadId: string; placementId: string; progress: Progress | null; at: Date },
): Promise<boolean> {
  const where = { id: seen.workloadId, placementId: seen.placementId }
  const row = await db.workload.findFirst({ where, select: { progress: true } })
  if (!row) return false
  if (isDeepStrictEqual(row.progress, seen.progress)) return true
  const { count } = await db.workload.updateMany({
    where,
    data: { progress: jsonOrNull(seen.progress), progressAt: seen.at },
  })
  return count > 0
}

/** When the progress of each of these workloads last moved; the state's start when none was ever seen. */
export async function progressTimes(db: Tx, workloadIds: readonly string[]): Promise<Map<string, Date>> {
  if (workloadIds.length === 0) return new Map()
  const rows = await db.workload.findMany({
    where: { id: { in: [...workloadIds] } },
    select: { id: true, progressAt: true, stateSince: true },
  })
  return new Map(rows.map((row) => [row.id, row.progressAt ?? row.stateSince]))
}

/**
 * Refreshes why a queued workload waits. `reasonAt` always moves, so that a page sees when the controller last looked;
 * the change counter never does. Returns whether the reason is another one than before.
 */
export async function saveWaitReason(db: Tx, wait: { workloadId: string; reason: Reason; at: Date }): Promise<boolean> {
  const row = await db.workload.findUnique({ where: { id: wait.workloadId }, select: { tenantId: true, reason: true } })
  if (!row) return false
  const reason = await storableReason(db, row.tenantId, wait.reason)
  const { count } = await db.workload.updateMany({
    where: { id: wait.workloadId, state: 'queued' },
    data: { reason: json(reason), reasonAt: wait.at },
  })
  return count > 0 && !isDeepStrictEqual(row.reason, reason)
}
