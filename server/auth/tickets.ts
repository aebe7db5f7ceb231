import { v7 } from 'uuid'
import { AppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'
import { isAllowed } from '@/domain/permissions'
import { PURPOSE_ACTIONS, type Purpose } from '@/domain/tickets'
import type { Workload } from '@/domain/workloads'
import type { Ctx } from '@/server/service/ctx'
import { newSecret, secretHash } from '@/server/service/secrets'
import { type Access, accessOf } from '@/server/store/system/access'
import { isApiTokenAlive } from '@/server/store/system/api-tokens'
import { type DoorPassState, doorPassState, insertDoorPass } from '@/server/store/system/door-passes'
import { isSignInAlive } from '@/server/store/system/sign-ins'
import { consumeTicket, type Ticket } from '@/server/store/system/tickets'
import { workloadById } from '@/server/store/system/workloads'

// The doors of the gateway: what a ticket or a pass is worth now. This file never imports next-auth, so that the
// controller does not carry it.

type Db = Ctx['db']

/** Somebody who came through a door, for one purpose, to one workload as it was placed then. */
export type Passage = { ticket: Ticket; workload: Workload; access: Access }

/**
 * Uses a ticket: once, within 30 s, for one of `purposes`, with the nonce that it was bound to, while its sign-in lives, its
 * placement is the workload's and its person may still do this. Errors: ticket, for everything else alike.
 */
export async function redeemTicket(
  db: Db,
  shown: { secret: string; purposes: readonly Purpose[]; nonce: string | null; at: Date },
): Promise<Passage> {
  const ticket = await consumeTicket(db, {
    hash: secretHash(shown.secret),
    purposes: shown.purposes,
    nonceHash: shown.nonce === null ? null : secretHash(shown.nonce),
    at: shown.at,
  })
  const passage = ticket && (await currentPassage(db, ticket, shown.at))
  if (!passage) throw new AppError('ticket', {})
  return passage
}

/** The passage as it stands now, or null when it has ended: for as long as a connection is open, ask again. */
export async function currentPassage(db: Db, ticket: Ticket, at: Date): Promise<Passage | null> {
  if (!(await isIssuerAlive(db, ticket, at))) return null
  const workload = await workloadById(db, ticket.workloadId)
  if (!workload || workload.tenantId !== ticket.tenantId) return null
  if (ticket.placementId !== (workload.placement?.id ?? null)) return null
  const access = await accessOf(db, workload, ticket.userId)
  if (!access || !isAllowed(access.role, access.relation, PURPOSE_ACTIONS[ticket.purpose])) return null
  return { ticket, workload, access }
}

/** A ticket lives no longer than the sign-in or API token that it was made with. */
async function isIssuerAlive(db: Db, ticket: Ticket, at: Date): Promise<boolean> {
  if (ticket.signInId !== null) return isSignInAlive(db, ticket.signInId, at)
  return ticket.apiTokenId !== null && isApiTokenAlive(db, ticket.apiTokenId, at)
}

/** Turns an `http` passage into the cookie of the workload's host. The secret is set once; its hash is the row. Errors: ticket. */
export async function mintDoorPass(
  db: Db,
  passage: Passage,
  { at, port }: { at: Date; port: number | null },
): Promise<{ secret: string; expiresAt: Date }> {
  const { ticket } = passage
  if (ticket.purpose !== 'http' || ticket.signInId === null || ticket.placementId === null) throw new AppError('ticket', {})
  const secret = newSecret()
  const expiresAt = new Date(at.getTime() + LIMITS.doorPassHours * 3_600_000)
  await insertDoorPass(db, {
    id: v7(),
    tenantId: ticket.tenantId,
    userId: ticket.userId,
    signInId: ticket.signInId,
    workloadId: ticket.workloadId,
    placementId: ticket.placementId,
    secretHash: secretHash(doorPassKey(secret, port)),
    createdAt: at,
    expiresAt,
  })
  return { secret, expiresAt }
}

/** What a host makes of a cookie that it is shown: a pass of one port is worth nothing at another, or at the workload's own host. */
export function doorPassKey(secret: string, port: number | null): string {
  return port === null ? secret : `${secret} ${port}`
}

/** What a workload host's cookie is worth now: null once its sign-in, share, membership or placement ended, or after 12 h. */
export async function checkDoorPass(db: Db, key: string, at: Date): Promise<DoorPassState | null> {
  const state = await doorPassState(db, secretHash(key), at)
  return state && isAllowed(state.access.role, state.access.relation, PURPOSE_ACTIONS.http) ? state : null
}
