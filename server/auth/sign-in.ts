import { v7 } from 'uuid'
import { AppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'
import * as names from '@/domain/names'
import { newSecret, secretHash } from '@/server/service/secrets'
import { clearFailures, countFailure, type LocalIdentity, localIdentity, lockIdentity } from '@/server/store/system/accounts'
import { findSignIn, insertSignIn, revokeSignIn } from '@/server/store/system/sign-ins'
import { AddressTries } from './address-tries'
import { signInDelaySeconds } from './lockout'
import { hashPassword, isWeakHash, verifyPassword } from './passwords'
import type { Runtime } from './runtime'
import { type Tries, UnknownTries } from './unknown-tries'
import { WorkQueue } from './work-queue'

type Deps = Pick<Runtime, 'db' | 'clock'>
/** Where everybody is: the dashboard listens on loopback only, and what a client says of its address proves nothing. */
export const HERE = 'this computer'
export type SignInAttempt = {
  email: string
  password: string
  device: string
  address: string
  /** The cookie's value of a sign-in that this one replaces in the same browser. */
  replaces: string | null
}

/** Tries for one account go one after the other, and few may wait: a burst learns no more than a row of single ones. */
const WAITING_PER_ACCOUNT = 4
type Shared = { lines: Map<string, WorkQueue>; unknown: UnknownTries; addresses: AddressTries }
const state = globalThis as { berthSignIn?: Shared }

/**
 * Signs a person in and returns the random value for their cookie; its hash is the row. A wrong password, an unknown and a
 * disabled account get the same answer, after the same work. Errors: bad_sign_in, over_limit (wait), invalid.
 */
export async function signInWithPassword(deps: Deps, attempt: SignInAttempt): Promise<{ userId: string; sid: string }> {
  const identity = await provePassword(deps, attempt)
  const now = deps.clock.now()
  await endReplaced(deps, attempt.replaces)
  const sid = newSecret()
  await insertSignIn(deps.db, {
    id: v7(),
    userId: identity.userId,
    secretHash: secretHash(sid),
    device: attempt.device,
    address: attempt.address,
    at: now,
    expiresAt: new Date(now.getTime() + LIMITS.signInDays * 86_400_000),
  })
  return { userId: identity.userId, sid }
}

/**
 * Whose password this is. For whatever asks for one: the same line per account, growing delay and bounded hashing as a
 * sign-in. Errors: bad_sign_in, over_limit (wait), invalid.
 */
export async function provePassword(deps: Deps, tried: Tried): Promise<LocalIdentity> {
  const email = names.email.safeParse(tried.email).data ?? ''
  return inLine(email, () => checkPassword(deps, { ...tried, email }))
}
type Tried = Pick<SignInAttempt, 'email' | 'password' | 'address'>

async function checkPassword(deps: Deps, { email, password, address }: Tried): Promise<LocalIdentity> {
  const { unknown, addresses } = shared()
  addresses.require(address, deps.clock.now())
  const identity = await localIdentity(deps.db, email)
  requireNotLocked(identity ?? unknown.get(email), deps.clock.now())
  const isRight = await verifyPassword(identity?.passwordHash ?? null, password, () =>
    identity ? noteTry(deps, identity) : unknown.note(email, deps.clock.now()),
  )
  if (!identity || !isRight) {
    addresses.note(address, deps.clock.now())
    throw new AppError('bad_sign_in', {})
  }
  const stronger = isWeakHash(identity.passwordHash) ? await hashPassword(password) : undefined
  await clearFailures(deps.db, identity.id, stronger)
  return identity
}

function requireNotLocked(tries: Tries | null, now: Date): void {
  const waitMs = (tries?.lockedUntil?.getTime() ?? 0) - now.getTime()
  if (waitMs <= 0) return
  const retrySeconds = Math.ceil(waitMs / 1000)
  throw new AppError('over_limit', { limit: 'wrong passwords in a row', max: LIMITS.signInFailuresFree, retrySeconds })
}

/** Every try counts as a failure until its password turned out right. */
async function noteTry(deps: Deps, identity: LocalIdentity): Promise<void> {
  const delaySeconds = signInDelaySeconds(await countFailure(deps.db, identity.id))
  if (delaySeconds === 0) return
  await lockIdentity(deps.db, identity.id, new Date(deps.clock.now().getTime() + delaySeconds * 1000))
}

/** A browser has one sign-in: a new one ends the one before, so that a planted or old cookie is worth nothing. */
async function endReplaced(deps: Deps, sid: string | null): Promise<void> {
  if (sid === null) return
  const at = deps.clock.now()
  const before = await findSignIn(deps.db, secretHash(sid), at)
  if (before) await revokeSignIn(deps.db, { userId: before.person.id, id: before.signIn.id, at })
}

async function inLine<T>(email: string, work: () => Promise<T>): Promise<T> {
  const { lines } = shared()
  const line = lines.get(email) ?? new WorkQueue({ running: 1, waiting: WAITING_PER_ACCOUNT, full: tooMany })
  lines.set(email, line)
  try {
    return await line.run(work)
  } finally {
    if (line.isIdle) lines.delete(email)
  }
}

function tooMany(): AppError {
  return new AppError('over_limit', { limit: 'sign-ins at once', max: WAITING_PER_ACCOUNT + 1, retrySeconds: 2 })
}

/** One state per process, whichever bundle asks. */
function shared() {
  state.berthSignIn ??= { lines: new Map(), unknown: new UnknownTries(), addresses: new AddressTries() }
  return state.berthSignIn
}
