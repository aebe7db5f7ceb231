import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { AppError } from '@/domain/errors'
import { returnPath } from '@/domain/return-path'
import { addresses } from '@/domain/settings'
import type { Clock } from '@/kit/clock'
import { readCookie } from '@/server/auth/cookies'
import { mintDoorPass, redeemTicket } from '@/server/auth/tickets'
import { newSecret, secretHash } from '@/server/service/secrets'
import type { Db } from '@/server/store/db'
import { readBody } from './body'
import { ENTER_SCRIPT } from './page-scripts'
import { sendJson, sendPage, sendText } from './pages'
import { type Exchange, refuse } from './refusals'
import { APP_COOKIE, PRE_COOKIE, TO_COOKIE } from './request-headers'

export type EnterDeps = { db: Db; clock: Clock; dashboardPort: number }
/** The host that is entered. */
type At = { label: string; port: number | null }

const COOKIE = 'Path=/; Secure; HttpOnly; SameSite=Lax'
const NONCE_SECONDS = 120
const BODY_BYTES = 1024
const entering = z.strictObject({ ticket: z.string().regex(/^[A-Za-z0-9_-]{43}$/) })

/**
 * First step into a workload: gives this browser a nonce and sends it to the dashboard with the nonce's hash. A ticket
 * minted there works in this browser alone, so nobody can be led into another person's workload.
 */
export function startEntering(exchange: Exchange, at: At & { dashboardPort: number }): void {
  const { request, response } = exchange
  if (request.method !== 'GET' || isPrefetch(request)) {
    refuse(exchange, { code: request.method === 'GET' ? 'prefetch' : 'method' })
    return
  }
  const nonce = newSecret()
  const asked = new URLSearchParams(request.url?.split('?')[1] ?? '').get('to')
  const inside = at.port === null ? '' : `&port=${at.port}`
  sendText(response, {
    status: 303,
    text: 'Go to Berth.',
    headers: {
      location: `${addresses(at.dashboardPort).dashboardOrigin}/open/${at.label}?n=${secretHash(nonce)}${inside}`,
      'set-cookie': [
        `${PRE_COOKIE}=${nonce}; ${COOKIE}; Max-Age=${NONCE_SECONDS}`,
        `${TO_COOKIE}=${encodeURIComponent(wantedPath(asked))}; ${COOKIE}; Max-Age=${NONCE_SECONDS}`,
      ],
      'referrer-policy': 'no-referrer',
    },
  })
}

/** Second step: a page that takes the ticket out of the address bar and posts it. Reading it changes nothing. */
export function enterPage(response: ServerResponse): void {
  sendPage(response, {
    status: 200,
    title: 'Opening',
    text: 'Opening this workload…',
    link: { href: '/.berth/start', text: 'Try again' },
    script: ENTER_SCRIPT,
  })
}

/** Third step: the ticket is used, once, by the browser that has the nonce; its pass is a cookie of this host alone. */
export async function enter(deps: EnterDeps, exchange: Exchange, at: At): Promise<void> {
  const { request, response } = exchange
  if (!isOwnPost(request, addresses(deps.dashboardPort).workloadOrigin(at.label, at.port)))
    return refuse(exchange, { code: 'cross_site' })
  const nonce = readCookie(request.headers.cookie ?? null, PRE_COOKIE)
  if (nonce.found === 'many') return refuse(exchange, { code: 'ambiguous' })
  const body = entering.safeParse(await readBody(request, BODY_BYTES))
  try {
    if (!body.success || nonce.found === 'none') throw new AppError('ticket', {})
    const pass = await exchangeTicket(deps, { ...at, ticket: body.data.ticket, nonce: nonce.value })
    response.setHeader('set-cookie', passCookies(pass, deps.clock.now()))
    sendJson(response, 200, { to: keptPath(request) })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    sendText(response, { status: error.status, text: error.message })
  }
}

async function exchangeTicket(deps: EnterDeps, given: At & { ticket: string; nonce: string }) {
  const at = deps.clock.now()
  const passage = await redeemTicket(deps.db, { secret: given.ticket, purposes: ['http'], nonce: given.nonce, at })
  if (passage.workload.label !== given.label) throw new AppError('ticket', {})
  return mintDoorPass(deps.db, passage, { at, port: given.port })
}

function passCookies(pass: { secret: string; expiresAt: Date }, now: Date): string[] {
  const seconds = Math.floor((pass.expiresAt.getTime() - now.getTime()) / 1000)
  const spent = [PRE_COOKIE, TO_COOKIE].map((name) => `${name}=; ${COOKIE}; Max-Age=0`)
  return [`${APP_COOKIE}=${pass.secret}; ${COOKIE}; Max-Age=${seconds}`, ...spent]
}

/** Where to go once inside: a path of this very host, and none of Berth's own. */
function wantedPath(path: string | null): string {
  const safe = returnPath(path)
  return safe.startsWith('/.berth') ? '/' : safe
}

/** What this browser wanted when it began; a cookie that was tampered with leads to the front page. */
function keptPath(request: IncomingMessage): string {
  const kept = readCookie(request.headers.cookie ?? null, TO_COOKIE)
  try {
    return wantedPath(kept.found === 'one' ? decodeURIComponent(kept.value) : null)
  } catch {
    return '/' // no encoding of ours
  }
}

/** Only our own page posts here: the exact origin, and JSON, which no form can send. */
function isOwnPost(request: IncomingMessage, origin: string): boolean {
  const site = request.headers['sec-fetch-site']
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  return request.headers.origin === origin && (site === undefined || site === 'same-origin') && type === 'application/json'
}

function isPrefetch(request: IncomingMessage): boolean {
  return /prefetch|prerender/i.test(`${request.headers['sec-purpose'] ?? ''} ${request.headers.purpose ?? ''}`)
}
