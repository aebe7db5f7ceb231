import type { Tx } from './db'

/** Notes that a machine holds a workload's files, and that placement is pinned to it. */
export async function putWorkspace(
  tx: Tx,
  tenantId: string,
  kept: { workloadId: string; machineId: string; at: Date },
): Promise<void> {
  await tx.workspace.upsert({
    where: { workloadId: kept.workloadId, tenantId },
    create: { workloadId: kept.workloadId, tenantId, machineId: kept.machineId, createdAt: kept.at },
    update: { machineId: kept.machineId, removedAt: null },
    select: { workloadId: true },
  })
}

/** Notes that a workload's files are gone; none known is success. */
export async function dropWorkspace(tx: Tx, tenantId: string, gone: { workloadId: string; at: Date }): Promise<void> {
  await tx.workspace.updateMany({
    where: { workloadId: gone.workloadId, tenantId, removedAt: null },
    data: { removedAt: gone.at },
  })
}
