import { z } from 'zod'
import { ROLES, type Role } from '@/domain/kinds'
import { LIMITS } from '@/domain/limits'
import type { Tx } from '../db'
import type { Prisma } from '../generated/sqlite/client'

export type SignIn = {
  id: string
  device: string
  address: string
  createdAt: Date
  lastUsedAt: Date
  expiresAt: Date
}
/** Who a browser is: the person, their tenants (oldest membership first), and the sign-in that says so. */
export type SignedIn = {
  signIn: SignIn
  person: { id: string; name: string; email: string; isOperator: boolean; theme: string }
  memberships: { tenantId: string; role: Role }[]
}

const columns = { id: true, device: true, address: true, createdAt: true, lastUsedAt: true, expiresAt: true } as const

/** Records a sign-in by the SHA-256 of its cookie's value. */
export async function insertSignIn(
  db: Tx,
  signIn: { id: string; userId: string; secretHash: string; device: string; address: string; at: Date; expiresAt: Date },
): Promise<void> {
  const { at, ...given } = signIn
  await db.signIn.create({ data: { ...given, createdAt: at, lastUsedAt: at }, select: { id: true } })
}

/** The living sign-in of a cookie's hash, or null: unknown, revoked, expired, idle too long, or a disabled person. */
export async function findSignIn(db: Tx, secretHash: string, at: Date): Promise<SignedIn | null> {
  const row = await db.signIn.findFirst({
    where: { secretHash, ...alive(at) },
    select: {
      ...columns,
      user: {
        select: {
          id: true,
          name: true,
          email: true,
          isOperator: true,
          theme: true,
          memberships: { select: { tenantId: true, role: true }, orderBy: { createdAt: 'asc' } },
        },
      },
    },
  })
  if (!row) return null
  const { user, ...signIn } = row
  const { memberships, ...person } = user
  return { signIn, person, memberships: memberships.map((m) => ({ tenantId: m.tenantId, role: z.enum(ROLES).parse(m.role) })) }
}

/** Does this sign-in still live? */
export async function isSignInAlive(db: Tx, id: string, at: Date): Promise<boolean> {
  return (await db.signIn.count({ where: { id, ...alive(at) } })) > 0
}

/** Notes use of a sign-in, at most once per `everySeconds`: most requests write nothing. */
export async function touchSignIn(db: Tx, used: { id: string; at: Date; everySeconds: number }): Promise<void> {
  const before = new Date(used.at.getTime() - used.everySeconds * 1000)
  await db.signIn.updateMany({ where: { id: used.id, lastUsedAt: { lt: before } }, data: { lastUsedAt: used.at } })
}

/** A person's living sign-ins, the last used one first. */
export async function listSignIns(db: Tx, userId: string, at: Date): Promise<SignIn[]> {
  return db.signIn.findMany({
    where: { userId, ...alive(at) },
    orderBy: { lastUsedAt: 'desc' },
    take: LIMITS.listMax,
    select: columns,
  })
}

/** Ends one sign-in of a person; false when they have no such living one. */
export async function revokeSignIn(db: Tx, revoked: { userId: string; id: string; at: Date }): Promise<boolean> {
  const { count } = await db.signIn.updateMany({
    where: { id: revoked.id, userId: revoked.userId, revokedAt: null },
    data: { revokedAt: revoked.at },
  })
  return count > 0
}

/** Ends all sign-ins of a person but one; returns how many. */
export async function revokeOtherSignIns(db: Tx, kept: { userId: string; keepId: string | null; at: Date }): Promise<number> {
  const { count } = await db.signIn.updateMany({
    where: { userId: kept.userId, revokedAt: null, ...(kept.keepId === null ? {} : { id: { not: kept.keepId } }) },
    data: { revokedAt: kept.at },
  })
  return count
}

/** What makes a sign-in alive at a moment. */
function alive(at: Date): Prisma.SignInWhereInput {
  const idleSince = new Date(at.getTime() - LIMITS.signInIdleHours * 3_600_000)
  return { revokedAt: null, expiresAt: { gt: at }, lastUsedAt: { gt: idleSince }, user: { disabledAt: null } }
}
