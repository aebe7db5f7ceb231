import type { Placement, Workload } from '@/domain/workloads'
import type { Tx } from './db'
import { placementColumns, toPlacement, toWorkload, type WorkloadRow } from './rows'

const CHUNK = 1000

/** Workload rows with the placements that they name. */
export async function withPlacements(tx: Tx, rows: readonly WorkloadRow[]): Promise<Workload[]> {
  const ids = rows.flatMap((row) => (row.placementId === null ? [] : [row.placementId]))
  const placements = new Map((await placementsByIds(tx, ids)).map((placement) => [placement.id, placement]))
  return rows.map((row) => {
    const placement = placements.get(row.placementId ?? '')
    return toWorkload(row, placement?.workloadId === row.id ? placement : null)
  })
}

/** Placements by id, in no order. Ids come from rows that were read by tenant or by a machine that is known. */
export async function placementsByIds(tx: Tx, ids: readonly string[]): Promise<Placement[]> {
  const found: Placement[] = []
  for (let at = 0; at < ids.length; at += CHUNK) {
    const rows = await tx.placement.findMany({
      where: { id: { in: ids.slice(at, at + CHUNK) } },
      select: placementColumns,
    })
    found.push(...rows.map(toPlacement))
  }
  return found
}

/** Every start of a workload, newest first. */
export async function listPlacements(
  tx: Tx,
  tenantId: string,
  query: { workloadId: string; limit: number },
): Promise<Placement[]> {
  const rows = await tx.placement.findMany({
    where: { tenantId, workloadId: query.workloadId },
    orderBy: { workloadGen: 'desc' },
    take: query.limit,
    select: placementColumns,
  })
  return rows.map(toPlacement)
}

/** A failed workload lets go of its placement and stays failed; false when it holds another one or none, or is not failed. */
export async function detachPlacement(tx: Tx, tenantId: string, held: { id: string; placementId: string }): Promise<boolean> {
  const { count } = await tx.workload.updateMany({
    where: { id: held.id, tenantId, state: 'failed', placementId: held.placementId },
    data: { placementId: null },
  })
  return count > 0
}
