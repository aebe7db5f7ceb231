import { type NextRequest, NextResponse } from 'next/server'
import { addresses } from '@/domain/settings'
import { hostKind } from '@/server/web/host'
import { PROBE_PATH, probeAnswer, probePage } from '@/server/web/probe-page'
import { contentSecurityPolicy, FIXED_HEADERS, NO_STORE, newNonce } from '@/server/web/security-headers'

const port = Number(process.env.BERTH_PORT ?? 7480)
const isDevelopment = process.env.NODE_ENV === 'development'

/**
 * Sees every request, files included (no matcher): refuses foreign hosts and sets headers. It decides nothing about who may
 * see what; pages and procedures do that themselves.
 */
export function proxy(request: NextRequest): Response {
  const path = request.nextUrl.pathname
  const kind = hostKind(request.headers.get('host'), port)
  if (kind === 'loopback' && request.method === 'GET' && isPage(path)) return probePage(port)
  if (kind !== 'dashboard') return misdirected()
  if (path === PROBE_PATH) return probeAnswer()
  if (!isApi(path) && request.method !== 'GET' && request.method !== 'HEAD') return notAllowed()
  if (isFile(path)) return withHeaders(NextResponse.next(), {})
  return isApi(path) ? withHeaders(NextResponse.next(), { 'cache-control': NO_STORE }) : page(request)
}

/** A page renders with the nonce of its policy: Next reads it from the request and puts it on its own scripts. */
function page(request: NextRequest): Response {
  const nonce = newNonce()
  const policy = contentSecurityPolicy({ nonce, port, isDevelopment })
  const headers = new Headers(request.headers)
  headers.set('x-nonce', nonce)
  headers.set('content-security-policy', policy)
  const response = NextResponse.next({ request: { headers } })
  return withHeaders(response, { 'content-security-policy': policy, 'cache-control': NO_STORE })
}

function withHeaders(response: Response, extra: Record<string, string>): Response {
  for (const [name, value] of Object.entries({ ...FIXED_HEADERS, ...extra })) response.headers.set(name, value)
  return response
}

function misdirected(): Response {
  const text = `This is not ${addresses(port).dashboardHost}.\n`
  return withHeaders(new Response(text, { status: 421 }), { 'content-type': 'text/plain', 'cache-control': NO_STORE })
}

/** Pages take no bodies: Berth has no server actions and no form that posts to a page. */
function notAllowed(): Response {
  return withHeaders(new Response(null, { status: 405 }), { allow: 'GET, HEAD', 'cache-control': NO_STORE })
}

function isApi(path: string): boolean {
  return path === '/api' || path.startsWith('/api/')
}

function isFile(path: string): boolean {
  return path.startsWith('/_next/')
}

function isPage(path: string): boolean {
  return !isApi(path) && !isFile(path) && !path.startsWith('/.') && !path.split('/').at(-1)?.includes('.')
}
