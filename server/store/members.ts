import { z } from 'zod'
import { ROLES, type Role } from '@/domain/kinds'
import { LIMITS } from '@/domain/limits'
import type { Tx } from './db'

export type MemberRow = { userId: string; name: string; email: string; role: Role; createdAt: Date }

/** The people of a tenant who may sign in, the longest there first. */
export async function listMembers(tx: Tx, tenantId: string): Promise<MemberRow[]> {
  const rows = await tx.membership.findMany({
    where: { tenantId, user: { disabledAt: null } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: LIMITS.membersMax,
    select: { userId: true, role: true, createdAt: true, user: { select: { name: true, email: true } } },
  })
  return rows.map(({ user, ...row }) => ({ ...row, ...user, role: z.enum(ROLES).parse(row.role) }))
}
