import type { Tx } from '../db'

/** Is a restart under way? It spans the stop and the start: a workload that was parked by it is to be started again. */
export async function openRestart(db: Tx, workloadId: string): Promise<boolean> {
  return (await db.operation.count({ where: { openKey: workloadId, kind: 'restart' } })) > 0
}
