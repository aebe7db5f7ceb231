import type { Workload } from '@/domain/workloads'
import type { Tx } from '../db'
import { type Access, accessOf } from './access'
import { isSignInAlive } from './sign-ins'
import { workloadById } from './workloads'

export type DoorPass = {
  id: string
  tenantId: string
  userId: string
  signInId: string
  workloadId: string
  placementId: string
  expiresAt: Date
}

/** Records the cookie of a workload's host by its SHA-256. */
export async function insertDoorPass(db: Tx, pass: DoorPass & { secretHash: string; createdAt: Date }): Promise<void> {
  await db.doorPass.create({ data: pass, select: { id: true } })
}

export type DoorPassState = { pass: DoorPass; workload: Workload; access: Access }

/**
 * What a door's cookie is worth now: null when it is unknown, expired or revoked, when its sign-in ended, its person left
 * the tenant, or its placement is not the workload's any more. Whether `access` is enough is the caller's rule.
 */
export async function doorPassState(db: Tx, hash: string, at: Date): Promise<DoorPassState | null> {
  const pass = await db.doorPass.findFirst({
    where: { secretHash: hash, revokedAt: null, expiresAt: { gt: at } },
    select: { id: true, tenantId: true, userId: true, signInId: true, workloadId: true, placementId: true, expiresAt: true },
  })
  if (!pass || !(await isSignInAlive(db, pass.signInId, at))) return null
  const workload = await workloadById(db, pass.workloadId)
  if (!workload || workload.tenantId !== pass.tenantId || workload.placement?.id !== pass.placementId) return null
  const access = await accessOf(db, workload, pass.userId)
  return access && { pass, workload, access }
}

/** Ends passes of a workload, of one person or of all. */
export async function revokeDoorPasses(db: Tx, ended: { workloadId: string; userId?: string; at: Date }): Promise<void> {
  await db.doorPass.updateMany({
    where: { workloadId: ended.workloadId, revokedAt: null, ...(ended.userId === undefined ? {} : { userId: ended.userId }) },
    data: { revokedAt: ended.at },
  })
}
