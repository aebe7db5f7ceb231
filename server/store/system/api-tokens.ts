import { z } from 'zod'
import { ROLES, type Role } from '@/domain/kinds'
import type { Tx } from '../db'

/** A living API token: whose it is, in which tenant, and what it may do. */
export type TokenOwner = {
  id: string
  tenantId: string
  scopes: string[]
  role: Role
  person: { id: string; name: string; email: string; isOperator: boolean }
}

/** The living token of a hash, or null: unknown, revoked, expired, of a disabled person or of one who left the tenant. */
export async function findApiToken(db: Tx, secretHash: string, at: Date): Promise<TokenOwner | null> {
  const row = await db.apiToken.findFirst({
    where: { secretHash, revokedAt: null, expiresAt: { gt: at }, user: { disabledAt: null } },
    select: {
      id: true,
      tenantId: true,
      scopes: true,
      user: {
        select: {
          id: true,
          name: true,
          email: true,
          isOperator: true,
          memberships: { select: { tenantId: true, role: true } },
        },
      },
    },
  })
  if (!row) return null
  const { memberships, ...person } = row.user
  const membership = memberships.find((m) => m.tenantId === row.tenantId)
  if (!membership) return null
  const scopes = z.array(z.string()).parse(row.scopes)
  return { id: row.id, tenantId: row.tenantId, scopes, role: z.enum(ROLES).parse(membership.role), person }
}

/** Does this token still live? */
export async function isApiTokenAlive(db: Tx, id: string, at: Date): Promise<boolean> {
  return (await db.apiToken.count({ where: { id, revokedAt: null, expiresAt: { gt: at }, user: { disabledAt: null } } })) > 0
}

/** Notes use of a token, at most once per `everySeconds`. */
export async function touchApiToken(db: Tx, used: { id: string; at: Date; everySeconds: number }): Promise<void> {
  const before = new Date(used.at.getTime() - used.everySeconds * 1000)
  await db.apiToken.updateMany({
    where: { id: used.id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: before } }] },
    data: { lastUsedAt: used.at },
  })
}
