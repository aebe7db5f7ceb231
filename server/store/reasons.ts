import { REASONS, type Reason } from '@/domain/reasons'
import type { Tx } from './db'

/** The reason as it may be stored: an untrusted tenant's copy lacks what only operators may see. */
export async function storableReason(tx: Tx, tenantId: string, reason: Reason): Promise<Reason> {
  const row: { operatorOnly?: readonly string[] } = REASONS[reason.code]
  if (!row.operatorOnly?.length) return reason
  const tenant = await tx.tenant.findUnique({ where: { id: tenantId }, select: { trust: true } })
  return tenant?.trust === 'trusted' ? reason : stripped(reason, row.operatorOnly)
}

/** The reason without the named arguments. */
export function stripped(reason: Reason, names: readonly string[]): Reason {
  return { code: reason.code, args: Object.fromEntries(Object.entries(reason.args).filter(([name]) => !names.includes(name))) }
}
