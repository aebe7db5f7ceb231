import type { State } from '@/domain/states'
import type { Stop, WorkloadSettings } from '@/domain/workloads'
import type { Tx } from './db'
import { json } from './json'

/** States in which a stop can be planned. */
const UP: State[] = ['running', 'paused']

/** Keeps when a workload is going to be parked by itself and why; null: not planned. False: it is not up any more. */
export async function setPlannedStop(
  tx: Tx,
  tenantId: string,
  planned: { id: string; stopAt: Date | null; stopWhy: Stop | null },
): Promise<boolean> {
  const { id, stopAt, stopWhy } = planned
  const changed = stopAt === null ? { stopAt: { not: null } } : {}
  const where = { id, tenantId, state: { in: UP }, ...changed }
  const { count } = await tx.workload.updateMany({ where, data: { stopAt, stopWhy } })
  return count > 0
}

/** A person wants it to go on: it counts as busy now, and no stop is planned until the next look. False: it is not up. */
export async function keepUp(tx: Tx, tenantId: string, kept: { id: string; at: Date }): Promise<boolean> {
  const { count } = await tx.workload.updateMany({
    where: { id: kept.id, tenantId, state: { in: UP } },
    data: { lastBusyAt: kept.at, stopAt: null, stopWhy: null },
  })
  return count > 0
}

/** Keeps what ends its runs; a stop that was planned by the old ones is planned anew. */
export async function saveSettings(
  tx: Tx,
  tenantId: string,
  saved: { id: string; settings: WorkloadSettings },
): Promise<boolean> {
  const data = { settings: json(saved.settings), stopAt: null, stopWhy: null }
  return (await tx.workload.updateMany({ where: { id: saved.id, tenantId }, data })).count > 0
}

/** Keeps until when what is left of a failed workload is kept for a look. */
export async function saveLook(tx: Tx, tenantId: string, look: { id: string; until: Date }): Promise<void> {
  await tx.workload.updateMany({ where: { id: look.id, tenantId, state: 'failed' }, data: { looksUntil: look.until } })
}
