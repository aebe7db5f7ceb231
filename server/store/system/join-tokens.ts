import type { Tx } from '../db'

export type JoinToken = {
  id: string
  tenantId: string
  ownerId: string
  machineId: string | null
  region: string
  secretHash: string
  createdAt: Date
  expiresAt: Date
}

/** Records a join token by its SHA-256. */
export async function insertJoinToken(db: Tx, token: JoinToken): Promise<void> {
  await db.joinToken.create({ data: token, select: { id: true } })
}

/** Uses a join token by one conditional update: the first caller gets it, everyone after that null. */
export async function useJoinToken(
  db: Tx,
  used: { hash: string; at: Date },
): Promise<Pick<JoinToken, 'tenantId' | 'ownerId' | 'machineId' | 'region'> | null> {
  const rows = await db.joinToken.updateManyAndReturn({
    where: { secretHash: used.hash, usedAt: null, expiresAt: { gt: used.at } },
    data: { usedAt: used.at },
    select: { tenantId: true, ownerId: true, machineId: true, region: true },
  })
  return rows[0] ?? null
}
