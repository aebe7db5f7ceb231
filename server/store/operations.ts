import { z } from 'zod'
import type { Tx } from './db'

/** What a person can have under way on a workload: at most one at a time. */
export const OPERATION_KINDS = ['park', 'pause', 'resume', 'restart', 'recover', 'delete'] as const
export type OperationKind = (typeof OPERATION_KINDS)[number]
/** How it ended. `replaced`: another one that it could not stand against took its place. */
export type OperationOutcome = 'done' | 'failed' | 'replaced'

export type NewOperation = { id: string; workloadId: string; kind: OperationKind; userId: string; at: Date }

/** Begins an operation. Another open one breaks the unique index on `open_key`; take the workload's row first. */
export async function beginOperation(tx: Tx, tenantId: string, operation: NewOperation): Promise<void> {
  await tx.operation.create({
    data: {
      id: operation.id,
      tenantId,
      workloadId: operation.workloadId,
      kind: operation.kind,
      openKey: operation.workloadId,
      userId: operation.userId,
      createdAt: operation.at,
    },
    select: { id: true },
  })
}

/** The operation under way, or null. */
export async function openOperation(
  tx: Tx,
  tenantId: string,
  workloadId: string,
): Promise<{ id: string; kind: OperationKind } | null> {
  const row = await tx.operation.findFirst({ where: { tenantId, openKey: workloadId }, select: { id: true, kind: true } })
  return row && { id: row.id, kind: z.enum(OPERATION_KINDS).parse(row.kind) }
}

/** Ends the open operation when it is of one of these kinds; none open is success. */
export async function endOperation(
  tx: Tx,
  tenantId: string,
  end: { workloadId: string; kinds: readonly OperationKind[]; outcome: OperationOutcome; at: Date },
): Promise<void> {
  await tx.operation.updateMany({
    where: { tenantId, openKey: end.workloadId, kind: { in: [...end.kinds] } },
    data: { openKey: null, outcome: end.outcome, endedAt: end.at },
  })
}
