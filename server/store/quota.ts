import type { Tx } from './db'

/** Create's guarded write: takes the tenant's quota row, so that creates of one tenant go one after the other. False: no such tenant. */
export async function takeQuota(tx: Tx, tenantId: string): Promise<boolean> {
  const { count } = await tx.quota.updateMany({ where: { tenantId, userKey: '' }, data: { version: { increment: 1 } } })
  return count > 0
}
