import type { Tx } from './db'

/** Notes that a machine holds a workload's files. The caller holds the workload's row. */
export async function putWorkspace(
  tx: Tx,
  tenantId: string,
  kept: { workloadId: string; machineId: string; at: Date },
): Promise<void> {
  const { count } = await tx.workspace.updateMany({
    where: { workloadId: kept.workloadId, tenantId },
    data: { machineId: kept.machineId, removedAt: null },
  })
  if (count > 0) return
  await tx.workspace.create({
    data: {
      tenantId,
      machineId: kept.machineId,
      createdAt: kept.at,
      workload: { connect: { id: kept.workloadId, tenantId } },
    },
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
