import type { Trust } from '@/domain/kinds'
import { REASONS, type Reason } from '@/domain/reasons'
import type { Tx } from './db'

/** The reason as it may be stored: an untrusted tenant's copy lacks what only operators may see. */
export async function storableReason(tx: Tx, tenantId: string, reason: Reason): Promise<Reason> {
  if (operatorOnly(reason).length === 0) return reason
  const tenant = await tx.tenant.findUnique({ where: { id: tenantId }, select: { trust: true } })
  return visibleReason(reason, tenant?.trust === 'trusted' ? 'trusted' : 'untrusted')
}

/** The reason as a tenant of this trust may see it. */
export function visibleReason(reason: Reason, trust: Trust): Reason {
  const hidden = trust === 'trusted' ? [] : operatorOnly(reason)
  return { code: reason.code, args: Object.fromEntries(Object.entries(reason.args).filter(([name]) => !hidden.includes(name))) }
}

function operatorOnly(reason: Reason): readonly string[] {
  const row: { operatorOnly?: readonly string[] } = REASONS[reason.code]
  return row.operatorOnly ?? []
}
