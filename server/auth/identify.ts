import { decode } from 'next-auth/jwt'
import { AppError } from '@/domain/errors'
import { SCOPES } from '@/domain/tokens'
import { secretHash } from '@/server/service/secrets'
import { findSignIn, type SignedIn, touchSignIn } from '@/server/store/system/sign-ins'
import { verifyApiToken } from './api-tokens'
import type { Caller } from './caller'
import { readCookie, SESSION_COOKIE } from './cookies'
import type { Runtime } from './runtime'

type Deps = Pick<Runtime, 'db' | 'authSecret' | 'clock'>
const TOUCH_SECONDS = 60

/**
 * Who sent these headers, looked up anew for each request, so that what was revoked is gone at the next one. A token never
 * falls back to the cookie. `isUse` false: only looked at, so that an open page does not keep a sign-in from idling out. Errors: invalid when both came, or when the session cookie came twice.
 */
export async function identifyCaller(deps: Deps, headers: Headers, isUse = true): Promise<Caller | null> {
  const authorization = headers.get('authorization')
  const cookie = readCookie(headers.get('cookie'), SESSION_COOKIE)
  if (cookie.found === 'many') throw new AppError('invalid', { field: 'cookie', limit: 'the session cookie came twice' })
  if (authorization === null) return cookie.found === 'one' ? callerOfCookie(deps, cookie.value, isUse) : null
  if (cookie.found === 'one') throw new AppError('invalid', { field: 'authorization', limit: 'a token or a cookie, not both' })
  return verifyApiToken(deps, authorization)
}

async function callerOfCookie(deps: Deps, value: string, isUse: boolean): Promise<Caller | null> {
  const now = deps.clock.now()
  const sid = await sidOfCookie(deps.authSecret, value)
  const signedIn = sid === null ? null : await findSignIn(deps.db, secretHash(sid), now)
  if (!signedIn) return null
  if (isUse) await touchSignIn(deps.db, { id: signedIn.signIn.id, at: now, everySeconds: TOUCH_SECONDS })
  return callerOfSignIn(signedIn)
}

/** The random value inside the cookie, or null for anything that we did not encrypt or that is out of date. */
export async function sidOfCookie(secret: string, value: string): Promise<string | null> {
  try {
    const content = await decode({ token: value, secret })
    return typeof content?.sid === 'string' ? content.sid : null
  } catch {
    return null // Not ours, changed, or expired: nobody is signed in by it.
  }
}

/** A person acts in their oldest membership; without any, they are nobody here. */
function callerOfSignIn({ signIn, person, memberships }: SignedIn): Caller | null {
  const [membership] = memberships
  if (!membership) return null
  const { id, name, email, isOperator } = person
  return {
    person: { id, name, email, isOperator, role: membership.role },
    tenantId: membership.tenantId,
    via: 'cookie',
    signInId: signIn.id,
    apiTokenId: null,
    scopes: SCOPES,
  }
}
