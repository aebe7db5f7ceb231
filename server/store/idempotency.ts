import type { Tx } from './db'

export type IdempotencyScope = { userId: string; key: string }

/** The first use of a key that has not expired, or null. */
export async function findIdempotencyKey(
  tx: Tx,
  tenantId: string,
  query: IdempotencyScope & { at: Date },
): Promise<{ digest: string; workloadId: string } | null> {
  return tx.idempotencyKey.findFirst({
    where: { tenantId, userId: query.userId, key: query.key, expiresAt: { gt: query.at } },
    select: { digest: true, workloadId: true },
  })
}

/** Remembers a key and forgets this person's expired ones. Call it while create's quota row is held. */
export async function putIdempotencyKey(
  tx: Tx,
  tenantId: string,
  used: IdempotencyScope & { id: string; digest: string; workloadId: string; at: Date; expiresAt: Date },
): Promise<void> {
  await tx.idempotencyKey.deleteMany({ where: { tenantId, userId: used.userId, expiresAt: { lte: used.at } } })
  const { at, ...columns } = used
  await tx.idempotencyKey.create({ data: { ...columns, tenantId, createdAt: at }, select: { id: true } })
}
