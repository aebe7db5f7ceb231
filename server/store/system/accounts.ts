import type { Trust } from '@/domain/kinds'
import type { Tx } from '../db'
import { json } from '../json'

/** Issuer of accounts whose password Berth itself checks. */
const LOCAL_ISSUER = 'local'

export type NewAccount = {
  userId: string
  identityId: string
  email: string
  name: string
  passwordHash: string
  isOperator: boolean
  at: Date
}

/** A person with a local password. A known e-mail address breaks its unique index. */
export async function insertAccount(tx: Tx, account: NewAccount): Promise<void> {
  await tx.user.create({
    data: {
      id: account.userId,
      email: account.email,
      name: account.name,
      isOperator: account.isOperator,
      createdAt: account.at,
      identities: {
        create: {
          id: account.identityId,
          issuer: LOCAL_ISSUER,
          subject: account.userId,
          passwordHash: account.passwordHash,
          createdAt: account.at,
        },
      },
    },
    select: { id: true },
  })
}

/** A tenant with its quota row and its first owner. */
export async function insertTenant(
  tx: Tx,
  tenant: { id: string; quotaId: string; membershipId: string; ownerId: string; name: string; trust: Trust; at: Date },
): Promise<void> {
  await tx.tenant.create({
    data: {
      id: tenant.id,
      name: tenant.name,
      trust: tenant.trust,
      policies: json({}),
      createdAt: tenant.at,
      quotas: { create: { id: tenant.quotaId, limits: json({}) } },
      memberships: { create: { id: tenant.membershipId, userId: tenant.ownerId, role: 'owner', createdAt: tenant.at } },
    },
    select: { id: true },
  })
}

/** Adds a person to a tenant. */
export async function insertMembership(
  tx: Tx,
  membership: { id: string; tenantId: string; userId: string; role: string; at: Date },
): Promise<void> {
  const { at, ...columns } = membership
  await tx.membership.create({ data: { ...columns, createdAt: at }, select: { id: true } })
}

export type LocalIdentity = {
  id: string
  userId: string
  passwordHash: string
  failures: number
  lockedUntil: Date | null
}

/** What a password sign-in checks; null for an unknown or disabled person. */
export async function localIdentity(db: Tx, email: string): Promise<LocalIdentity | null> {
  const row = await db.identity.findFirst({
    where: { issuer: LOCAL_ISSUER, passwordHash: { not: null }, user: { email, disabledAt: null } },
    select: { id: true, userId: true, passwordHash: true, failures: true, lockedUntil: true },
  })
  return row?.passwordHash ? { ...row, passwordHash: row.passwordHash } : null
}

/** The tenant in which a person acts: the one that they have been in the longest; null when they are in none. */
export async function firstTenant(db: Tx, userId: string): Promise<string | null> {
  const row = await db.membership.findFirst({ where: { userId }, orderBy: { createdAt: 'asc' }, select: { tenantId: true } })
  return row?.tenantId ?? null
}

/** Puts another password's hash in the place of the one that was checked; false when it changed meanwhile. */
export async function replacePassword(
  db: Tx,
  replaced: { identityId: string; before: string; passwordHash: string },
): Promise<boolean> {
  const { count } = await db.identity.updateMany({
    where: { id: replaced.identityId, passwordHash: replaced.before },
    data: { passwordHash: replaced.passwordHash, failures: 0, lockedUntil: null },
  })
  return count > 0
}

/** Counts one more failure; returns how many there are now. */
export async function countFailure(db: Tx, identityId: string): Promise<number> {
  const row = await db.identity.update({
    where: { id: identityId },
    data: { failures: { increment: 1 } },
    select: { failures: true },
  })
  return row.failures
}

/** Refuses this identity until a moment. */
export async function lockIdentity(db: Tx, identityId: string, until: Date): Promise<void> {
  await db.identity.updateMany({ where: { id: identityId }, data: { lockedUntil: until } })
}

/** Forgets failures after a sign-in that worked; a new hash replaces one with weaker parameters. */
export async function clearFailures(db: Tx, identityId: string, passwordHash?: string): Promise<void> {
  await db.identity.updateMany({
    where: { id: identityId },
    data: { failures: 0, lockedUntil: null, ...(passwordHash === undefined ? {} : { passwordHash }) },
  })
}
