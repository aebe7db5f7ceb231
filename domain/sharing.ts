import type { Machine } from './machines'

/** Why a machine takes no work of a person; null: it does. Pure. */
export function notSharedWith(
  { sharing, tenantId, ownerId }: Pick<Machine, 'sharing' | 'tenantId' | 'ownerId'>,
  person: { tenantId: string; ownerId: string },
): string | null {
  if (sharing === 'everyone') return null
  if (tenantId !== person.tenantId) return 'another tenant'
  return sharing === 'tenant' || ownerId === person.ownerId ? null : 'its owner only'
}
