import { v7 as newId } from 'uuid'
import { AppError } from '@/domain/errors'
import type { Instance } from '@/domain/ids'
import { LIMITS } from '@/domain/limits'
import { isAllowed } from '@/domain/permissions'
import { PURPOSE_ACTIONS, type Purpose } from '@/domain/tickets'
import type { Workload } from '@/domain/workloads'
import type { Db } from '@/server/store/db'
import { type Access, accessOf } from '@/server/store/system/access'
import { doorPassState, insertDoorPass } from '@/server/store/system/door-passes'
import { isSignInAlive } from '@/server/store/system/sign-ins'
import { consumeTicket as consumeRow, type Ticket } from '@/server/store/system/tickets'
import { workloadById, workloadByLabel } from '@/server/store/system/workloads'
import { newSecret, secretHash } from './secrets'

/** What a used ticket allowed, to be checked again while its connection is open. Names ids only; the secret is gone. */
export type Grant = Omit<Ticket, 'id' | 'nonceHash'>

/** What a grant or a pass is worth at one moment: the instance that it opens, and for whom. */
export type Standing = { workload: Workload; instance: Instance; person: Access['person']; mayOpen: boolean }

/** The workload of a host's label, whatever its state; null when there never was one. */
export async function findDoor(db: Db, label: string): Promise<Workload | null> {
  return workloadByLabel(db, label)
}

/**
 * Uses a ticket: once, in time, for one of the purposes, with the nonce that it was bound to, and only while its sign-in,
 * its share and its placement stand. Errors: ticket, without saying which.
 */
export async function consumeTicket(
  db: Db,
  used: { secret: string; purposes: readonly Purpose[]; nonceHash: string | null; label: string | null; at: Date },
): Promise<{ grant: Grant; standing: Standing }> {
  const grant = await consumeRow(db, { ...used, hash: secretHash(used.secret) })
  const standing = grant && (await standingOf(db, grant, used.at))
  const isHere = used.label === null || standing?.workload.label === used.label
  if (!grant || !standing || !isHere) throw new AppError('ticket', {})
  return { grant, standing }
}

/** What a grant is worth now; null when its sign-in, share or placement ended. Read from the store each time. */
export async function standingOf(db: Db, grant: Grant, at: Date): Promise<Standing | null> {
  // An API token has no living sign-in behind it; until tokens can be looked up, what they minted opens nothing.
  if (grant.signInId === null || !(await isSignInAlive(db, grant.signInId, at))) return null
  const workload = await workloadById(db, grant.workloadId)
  if (workload?.tenantId !== grant.tenantId || workload.placement?.id !== grant.placementId) return null
  const access = await accessOf(db, workload, grant.userId)
  return access && standing(workload, access, grant.purpose)
}

/** Makes the pass of one browser to one workload's host. The secret is returned once and stored as a hash. Errors: ticket. */
export async function createDoorPass(db: Db, grant: Grant, at: Date): Promise<{ secret: string; maxAgeSeconds: number }> {
  if (grant.signInId === null || grant.placementId === null) throw new AppError('ticket', {})
  const secret = newSecret()
  const maxAgeSeconds = LIMITS.doorPassHours * 3600
  await insertDoorPass(db, {
    id: newId(),
    tenantId: grant.tenantId,
    userId: grant.userId,
    signInId: grant.signInId,
    workloadId: grant.workloadId,
    placementId: grant.placementId,
    secretHash: secretHash(secret),
    createdAt: at,
    expiresAt: new Date(at.getTime() + maxAgeSeconds * 1000),
  })
  return { secret, maxAgeSeconds }
}

/** What a pass is worth now, by the hash of its cookie; null when it opens nothing. */
export async function checkDoorPass(db: Db, hash: string, at: Date): Promise<Standing | null> {
  const state = await doorPassState(db, hash, at)
  return state && standing(state.workload, state.access, 'http')
}

function standing(workload: Workload, access: Access, purpose: Purpose): Standing | null {
  const { placement } = workload
  if (!placement || !isAllowed(access.role, access.relation, PURPOSE_ACTIONS[purpose])) return null
  return {
    workload,
    instance: { workloadId: workload.id, placementId: placement.id, workloadGen: placement.workloadGen },
    person: access.person,
    mayOpen: isAllowed(access.role, access.relation, 'workload.open'),
  }
}
