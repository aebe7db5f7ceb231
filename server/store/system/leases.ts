import type { Tx } from '../db'
import { isUniqueViolation } from '../errors'

/** Who may place workloads. Its epoch is written with every placement. */
export const PLACEMENT_LEASE = 'placement'

/**
 * Takes or keeps a lease. The holder keeps its epoch while it is in time; every new holding raises it. Null: another
 * one holds it now. One that ends later than any could was made before the clock was set back: it is held by nobody.
 */
export async function acquireLease(
  db: Tx,
  wanted: { name: string; holder: string; ttlMs: number; at: Date },
): Promise<{ epoch: number } | null> {
  const { name, holder, at } = wanted
  const expiresAt = new Date(at.getTime() + wanted.ttlMs)
  const select = { epoch: true }
  const kept = await db.lease.updateManyAndReturn({ where: { name, holder, expiresAt: { gt: at } }, data: { expiresAt }, select })
  if (kept[0]) return kept[0]
  const taken = await db.lease.updateManyAndReturn({
    where: { name, OR: [{ expiresAt: { lte: at } }, { expiresAt: { gt: new Date(at.getTime() + 2 * wanted.ttlMs) } }] },
    data: { holder, expiresAt, epoch: { increment: 1 } },
    select,
  })
  if (taken[0]) return taken[0]
  if ((await db.lease.count({ where: { name } })) > 0) return null
  try {
    return await db.lease.create({ data: { name, holder, epoch: 1, expiresAt }, select })
  } catch (error) {
    if (isUniqueViolation(error)) return null // another one made it first
    throw error
  }
}

/** Prolongs a lease; false when it ran out or went to another holder. */
export async function renewLease(
  db: Tx,
  held: { name: string; holder: string; epoch: number; ttlMs: number; at: Date },
): Promise<boolean> {
  const { count } = await db.lease.updateMany({
    where: { name: held.name, holder: held.holder, epoch: held.epoch, expiresAt: { gt: held.at } },
    data: { expiresAt: new Date(held.at.getTime() + held.ttlMs) },
  })
  return count > 0
}

/** Gives a lease back, so that the next one need not wait for its end. */
export async function releaseLease(db: Tx, held: { name: string; holder: string; epoch: number; at: Date }): Promise<void> {
  await db.lease.updateMany({
    where: { name: held.name, holder: held.holder, epoch: held.epoch },
    data: { expiresAt: held.at },
  })
}

/** A lease as it stands; null when nobody ever held it. */
export async function leaseState(db: Tx, name: string): Promise<{ holder: string; expiresAt: Date } | null> {
  return db.lease.findUnique({ where: { name }, select: { holder: true, expiresAt: true } })
}

/** A guarded write that takes the lease's row when the epoch is still the newest; false: somebody else holds it since. */
export async function lockLease(tx: Tx, held: { name: string; epoch: number }): Promise<boolean> {
  const { count } = await tx.lease.updateMany({ where: held, data: { epoch: held.epoch } })
  return count > 0
}
