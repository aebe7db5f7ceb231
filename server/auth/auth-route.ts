import { v7 } from 'uuid'
import { AppError, isAppError } from '@/domain/errors'
import { addresses } from '@/domain/settings'
import { readBounded } from '@/server/web/bounded-body'
import { isFromOurPages, isJson } from '@/server/web/cross-site'
import { readCookie, SESSION_COOKIE } from './cookies'
import { runNextAuth } from './next-auth'
import type { Runtime } from './runtime'

/** What of next-auth is reachable. Its own pages, its session endpoint and its log are not: `me.get` says who is signed in. */
const ACTIONS: Record<string, 'GET' | 'POST'> = {
  csrf: 'GET',
  providers: 'GET',
  'callback/credentials': 'POST',
  signout: 'POST',
}
const BODY_BYTES_MAX = 16_384

/**
 * `/api/auth/*`. To sign in from a page:
 *
 * 1. `GET /api/auth/csrf` answers `{ csrfToken }` and sets its cookie;
 * 2. `POST /api/auth/callback/credentials` with JSON `{ csrfToken, email, password }` answers 200 `{ url }` and the session
 *    cookie, or 4xx `{ error: { message, data: { berth: { code, args, requestId } } }, url }`: `bad_sign_in`, `over_limit`
 *    (`args.retrySeconds`, also as Retry-After), `invalid`.
 *
 * To sign out: `POST /api/auth/signout` with JSON `{ csrfToken }`. next-auth/react's `signIn('credentials', { redirect: false,
 * email, password })` and `signOut({ redirect: false })` speak the same; its `error` is then the code.
 */
export async function answerAuth(runtime: Runtime, request: Request, action: readonly string[]): Promise<Response> {
  const requestId = v7()
  try {
    return await answer(runtime, request, action)
  } catch (error) {
    if (isAppError(error)) return failed(runtime, error, requestId)
    runtime.log.error('sign-in request failed', { requestId, error })
    return failed(runtime, null, requestId)
  }
}

async function answer(runtime: Runtime, request: Request, action: readonly string[]): Promise<Response> {
  const method = ACTIONS[action.join('/')]
  if (method === undefined) throw new AppError('not_found', { what: 'page' })
  if (request.method !== method) throw new AppError('invalid', { field: 'method', limit: method })
  if (readCookie(request.headers.get('cookie'), SESSION_COOKIE).found === 'many')
    throw new AppError('invalid', { field: 'cookie', limit: 'the session cookie came twice' })
  const { dashboardOrigin } = addresses(runtime.port)
  if (method === 'POST' && !isFromOurPages(request.headers, dashboardOrigin)) throw new AppError('bad_origin', {})
  const body = method === 'POST' ? await readFields(request) : {}
  const result = await runNextAuth(runtime, { method, action, headers: request.headers, body })
  if (result.failure) throw result.failure
  if (result.fault !== null) throw result.fault
  if (lacksCsrf(result.body)) throw new AppError('bad_origin', {})
  result.headers.set('cache-control', 'no-store')
  return new Response(result.body, { status: result.status, headers: result.headers })
}

/** next-auth answers a wrong CSRF value with 200 and the address of its own sign-in page. */
function lacksCsrf(body: string): boolean {
  return body.includes('csrf=true')
}

/** Fields of a JSON object or of a form, texts only. */
async function readFields(request: Request): Promise<Record<string, string>> {
  const text = await readBounded(request, BODY_BYTES_MAX)
  if (text === null) throw new AppError('invalid', { field: 'body', limit: `at most ${BODY_BYTES_MAX} bytes` })
  const entries = isJson(request.headers) ? jsonEntries(text) : [...new URLSearchParams(text)]
  const fields = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return { callbackUrl: '/', ...Object.fromEntries(fields), json: 'true' }
}

function jsonEntries(text: string): [string, unknown][] {
  try {
    return Object.entries(Object(JSON.parse(text)))
  } catch (cause) {
    throw new AppError('invalid', { field: 'body', limit: 'not JSON' }, { cause })
  }
}

function failed(runtime: Runtime, failure: AppError | null, requestId: string): Response {
  const code = failure?.code ?? 'internal'
  const args: Record<string, unknown> = { ...failure?.args }
  const message = failure?.message ?? 'something went wrong in Berth; its log has more'
  const headers = new Headers({ 'cache-control': 'no-store' })
  if (typeof args.retrySeconds === 'number') headers.set('retry-after', String(args.retrySeconds))
  const url = `${addresses(runtime.port).dashboardOrigin}/sign-in?error=${code}`
  const error = { message, data: { berth: { code, args, requestId } } }
  return Response.json({ error, url }, { status: failure?.status ?? 500, headers })
}
