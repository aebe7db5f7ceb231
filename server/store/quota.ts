import type { Tx } from './db'
import { json } from './json'

/** Create's guarded write: takes the tenant's quota row, so that creates of one tenant go one after the other. False: no such tenant. */
export async function takeQuota(tx: Tx, tenantId: string): Promise<boolean> {
  const { count } = await tx.quota.updateMany({ where: { tenantId, userKey: '' }, data: { version: { increment: 1 } } })
  return count > 0
}

/** Makes the tenant's quota row, without limits of its own. */
export async function insertQuota(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.quota.create({ data: { id, tenantId, limits: json({}) }, select: { id: true } })
}
