import NextAuth, { type NextAuthOptions } from 'next-auth'
import Credentials from 'next-auth/providers/credentials'
import { type AppError, isAppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'
import { returnPath } from '@/domain/return-path'
import { addresses } from '@/domain/settings'
import { secretHash } from '@/server/service/secrets'
import { findSignIn, revokeSignIn } from '@/server/store/system/sign-ins'
import { COOKIE_OPTIONS, CSRF_COOKIE, RETURN_COOKIE, readCookie, SESSION_COOKIE } from './cookies'
import { deviceName } from './device'
import { sidOfCookie } from './identify'
import type { Runtime } from './runtime'
import { HERE, signInWithPassword } from './sign-in'

type Response = ReturnType<typeof responseInto>
/** Its form for Node requests: the one that takes cookies and body from us. */
const nextAuth = NextAuth as unknown as (req: object, res: Response, options: NextAuthOptions) => Promise<void>

/** One request to next-auth, already bounded, parsed and from our own pages. */
export type AuthRequest = {
  method: 'GET' | 'POST'
  /** `['csrf']`, `['callback', 'credentials']`, … */
  action: readonly string[]
  headers: Headers
  body: Record<string, string>
}
/** What next-auth answered; `failure` in its place when the sign-in did not work. */
export type AuthAnswer = { status: number; headers: Headers; body: string; failure: AppError | null; fault: unknown }

/**
 * Signing in and out by next-auth (version 4, Credentials). Its cookie is an encrypted JWT that holds a random value and
 * nothing else; that value's hash is the sign-in row, which every request looks up.
 */
export async function runNextAuth(runtime: Runtime, request: AuthRequest): Promise<AuthAnswer> {
  const answer: AuthAnswer = { status: 200, headers: new Headers(), body: '', failure: null, fault: null }
  const options = optionsFor(runtime, request, answer)
  const [action, provider] = request.action
  const req = {
    method: request.method,
    headers: Object.fromEntries(request.headers),
    cookies: ownCookies(request.headers),
    query: { nextauth: [action, provider].filter((part) => part !== undefined) },
    body: request.body,
  }
  await nextAuth(req, responseInto(answer), options)
  return answer
}

function optionsFor(runtime: Runtime, request: AuthRequest, answer: AuthAnswer): NextAuthOptions {
  const { dashboardOrigin } = addresses(runtime.port)
  return {
    secret: runtime.authSecret,
    session: { strategy: 'jwt', maxAge: LIMITS.signInDays * 86_400 },
    pages: { signIn: '/sign-in', error: '/sign-in' },
    cookies: {
      sessionToken: { name: SESSION_COOKIE, options: COOKIE_OPTIONS },
      csrfToken: { name: CSRF_COOKIE, options: COOKIE_OPTIONS },
      callbackUrl: { name: RETURN_COOKIE, options: COOKIE_OPTIONS },
    },
    providers: [Credentials({ credentials: { email: {}, password: {} }, authorize: () => authorize(runtime, request, answer) })],
    callbacks: {
      jwt: ({ token, user }) => ({ sid: user ? user.id : token.sid }),
      redirect: ({ url }) =>
        dashboardOrigin + returnPath(url.startsWith(dashboardOrigin) ? url.slice(dashboardOrigin.length) : url),
    },
    events: { signOut: ({ token }) => endSignIn(runtime, token.sid) },
    logger: {
      error: (code, metadata) => runtime.log.error('next-auth failed', { code, metadata }),
      warn: (code) => runtime.log.debug('next-auth warns', { code }),
      debug: () => undefined,
    },
  }
}

/** The id that is returned here goes into the cookie and nowhere else. Null: no cookie, and `answer` says why. */
async function authorize(runtime: Runtime, request: AuthRequest, answer: AuthAnswer): Promise<{ id: string } | null> {
  try {
    const { sid } = await signInWithPassword(runtime, {
      email: request.body.email ?? '',
      password: request.body.password ?? '',
      device: deviceName(request.headers.get('user-agent')),
      address: HERE,
      replaces: await currentSid(runtime, request.headers),
    })
    return { id: sid }
  } catch (error) {
    if (isAppError(error)) answer.failure = error
    else answer.fault = error
    return null
  }
}

async function currentSid(runtime: Runtime, headers: Headers): Promise<string | null> {
  const cookie = readCookie(headers.get('cookie'), SESSION_COOKIE)
  return cookie.found === 'one' ? sidOfCookie(runtime.authSecret, cookie.value) : null
}

async function endSignIn(runtime: Runtime, sid: unknown): Promise<void> {
  if (typeof sid !== 'string') return
  const at = runtime.clock.now()
  const found = await findSignIn(runtime.db, secretHash(sid), at)
  if (found) await revokeSignIn(runtime.db, { userId: found.person.id, id: found.signIn.id, at })
}

/** Only our three cookies, each by its exact name: next-auth would otherwise join every name that begins like them. */
function ownCookies(headers: Headers): Record<string, string> {
  const header = headers.get('cookie')
  const pairs = [SESSION_COOKIE, CSRF_COOKIE, RETURN_COOKIE].flatMap((name) => {
    const cookie = readCookie(header, name)
    return cookie.found === 'one' ? [[name, decoded(cookie.value)] as const] : []
  })
  return Object.fromEntries(pairs)
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return '' // Not a value that we set.
  }
}

/** The few members of Node's response that next-auth uses, written into `answer`. */
function responseInto(answer: AuthAnswer) {
  const response = {
    status: (code: number) => {
      answer.status = code
      return response
    },
    getHeader: (name: string) => (name.toLowerCase() === 'set-cookie' ? answer.headers.getSetCookie() : answer.headers.get(name)),
    setHeader: (name: string, value: string | readonly string[]) => {
      answer.headers.delete(name)
      for (const one of [value].flat()) answer.headers.append(name, one)
      return response
    },
    json: (body: unknown) => response.send(body),
    send: (body: unknown) => {
      answer.body = typeof body === 'string' ? body : JSON.stringify(body ?? {})
      if (typeof body !== 'string') response.setHeader('content-type', 'application/json')
    },
    end: () => undefined,
  }
  return response
}
