import { z } from 'zod'
import { ROLES, type Role, TRUST, type Trust } from '@/domain/kinds'
import type { Tx } from './db'

export type Member = { id: string; name: string; email: string; role: Role; isOperator: boolean }

/** A member of the tenant who may still sign in, or null. */
export async function findMember(tx: Tx, tenantId: string, userId: string): Promise<Member | null> {
  const row = await tx.membership.findFirst({
    where: { tenantId, userId, user: { disabledAt: null } },
    select: { role: true, user: { select: { id: true, name: true, email: true, isOperator: true } } },
  })
  return row && { ...row.user, role: z.enum(ROLES).parse(row.role) }
}

export type Tenant = { id: string; name: string; trust: Trust }

/** The tenant itself, or null. */
export async function findTenant(tx: Tx, tenantId: string): Promise<Tenant | null> {
  const row = await tx.tenant.findUnique({ where: { id: tenantId }, select: { id: true, name: true, trust: true } })
  return row && { ...row, trust: z.enum(TRUST).parse(row.trust) }
}

/** The theme that a person chose on this installation. */
export async function findTheme(tx: Tx, tenantId: string, userId: string): Promise<string | null> {
  const row = await tx.user.findFirst({ where: { id: userId, memberships: { some: { tenantId } } }, select: { theme: true } })
  return row?.theme ?? null
}

/** Keeps the theme that a person chose. */
export async function saveTheme(tx: Tx, tenantId: string, chosen: { userId: string; theme: string }): Promise<void> {
  await tx.user.updateMany({
    where: { id: chosen.userId, memberships: { some: { tenantId } } },
    data: { theme: chosen.theme },
  })
}
