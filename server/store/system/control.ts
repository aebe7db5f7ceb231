import { LIMITS } from '@/domain/limits'
import type { Tx } from '../db'
import { isUniqueViolation } from '../errors'

/** Who may type in a session. `holder` is null when nobody does, or when the lease ran out. */
export type Control = { controllerGen: number; holder: string | null; userId: string | null }

/** The lease as it is at a moment; a session that nobody ever controlled is at generation 0. */
export async function readControl(db: Tx, workloadId: string, at: Date): Promise<Control> {
  const row = await db.controlLease.findUnique({
    where: { workloadId },
    select: { controllerGen: true, holder: true, userId: true, expiresAt: true },
  })
  if (!row) return { controllerGen: 0, holder: null, userId: null }
  // One that ends later than any could was made before the clock was set back.
  const latest = at.getTime() + 2 * LIMITS.controlLeaseSeconds * 1000
  const isHeld = row.holder !== null && row.expiresAt !== null && row.expiresAt > at && row.expiresAt.getTime() <= latest
  return { controllerGen: row.controllerGen, holder: isHeld ? row.holder : null, userId: isHeld ? row.userId : null }
}

export type Claim = {
  tenantId: string
  workloadId: string
  holder: string
  userId: string
  /** The generation that the claimer saw: another one since then, and the claim is lost. */
  expected: number
  ttlMs: number
  at: Date
}

/** Takes control by compare-and-set; returns the new generation, or null when the expected one is not the current one. */
export async function claimControl(db: Tx, claim: Claim): Promise<number | null> {
  const held = { holder: claim.holder, userId: claim.userId, expiresAt: new Date(claim.at.getTime() + claim.ttlMs) }
  const controllerGen = claim.expected + 1
  const { count } = await db.controlLease.updateMany({
    where: { workloadId: claim.workloadId, tenantId: claim.tenantId, controllerGen: claim.expected },
    data: { ...held, controllerGen },
  })
  if (count > 0) return controllerGen
  if (claim.expected !== 0) return null
  try {
    await db.controlLease.create({
      data: { ...held, controllerGen, workloadId: claim.workloadId, tenantId: claim.tenantId },
      select: { workloadId: true },
    })
    return controllerGen
  } catch (error) {
    if (isUniqueViolation(error)) return null // another one claimed first
    throw error
  }
}

export type Held = { workloadId: string; holder: string; controllerGen: number; at: Date }

/** Prolongs control; false when it went to another one or ran out. */
export async function renewControl(db: Tx, held: Held & { ttlMs: number }): Promise<boolean> {
  const { count } = await db.controlLease.updateMany({
    where: { workloadId: held.workloadId, holder: held.holder, controllerGen: held.controllerGen, expiresAt: { gt: held.at } },
    data: { expiresAt: new Date(held.at.getTime() + held.ttlMs) },
  })
  return count > 0
}

/** Gives control back; the generation stays, so that late input of this holder stays fenced by the next claim. */
export async function releaseControl(db: Tx, held: Omit<Held, 'at'>): Promise<void> {
  await db.controlLease.updateMany({
    where: { workloadId: held.workloadId, holder: held.holder, controllerGen: held.controllerGen },
    data: { holder: null, userId: null, expiresAt: null },
  })
}
