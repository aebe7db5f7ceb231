import type { IncomingMessage, ServerResponse } from 'node:http'
import { z } from 'zod'
import { AppError } from '@/domain/errors'
import { addresses } from '@/domain/settings'
import type { Clock } from '@/kit/clock'
import { readCookie } from '@/server/auth/cookies'
import { mintDoorPass, redeemTicket } from '@/server/auth/tickets'
import { newSecret, secretHash } from '@/server/service/secrets'
import type { Db } from '@/server/store/db'
import { readBody } from './body'
import { ENTER_SCRIPT } from './page-scripts'
import { sendPage, sendText } from './pages'
import { type Exchange, refuse } from './refusals'
import { APP_COOKIE, PRE_COOKIE } from './request-headers'

export type EnterDeps = { db: Db; clock: Clock; dashboardPort: number }

const COOKIE = 'Path=/; Secure; HttpOnly; SameSite=Lax'
const NONCE_SECONDS = 120
const BODY_BYTES = 1024
const entering = z.strictObject({ ticket: z.string().regex(/^[A-Za-z0-9_-]{43}$/) })

/**
 * First step into a workload: gives this browser a nonce and sends it to the dashboard with the nonce's hash. A ticket
 * minted there works in this browser alone, so nobody can be led into another person's workload.
 */
export function startEntering(exchange: Exchange, at: { label: string; dashboardPort: number }): void {
  const { request, response } = exchange
  if (request.method !== 'GET' || isPrefetch(request)) {
    refuse(exchange, { code: request.method === 'GET' ? 'prefetch' : 'method' })
    return
  }
  const nonce = newSecret()
  sendText(response, {
    status: 303,
    text: 'Go to Berth.',
    headers: {
      location: `${addresses(at.dashboardPort).dashboardOrigin}/open/${at.label}?n=${secretHash(nonce)}`,
      'set-cookie': `${PRE_COOKIE}=${nonce}; ${COOKIE}; Max-Age=${NONCE_SECONDS}`,
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
export async function enter(deps: EnterDeps, exchange: Exchange, label: string): Promise<void> {
  const { request, response } = exchange
  if (!isOwnPost(request, addresses(deps.dashboardPort).workloadOrigin(label))) return refuse(exchange, { code: 'cross_site' })
  const nonce = readCookie(request.headers.cookie ?? null, PRE_COOKIE)
  if (nonce.found === 'many') return refuse(exchange, { code: 'ambiguous' })
  const body = entering.safeParse(await readBody(request, BODY_BYTES))
  try {
    if (!body.success || nonce.found === 'none') throw new AppError('ticket', {})
    const pass = await exchangeTicket(deps, { label, ticket: body.data.ticket, nonce: nonce.value })
    sendText(response, { status: 200, text: 'open', headers: passCookies(pass, deps.clock.now()) })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    sendText(response, { status: error.status, text: error.message })
  }
}

async function exchangeTicket(deps: EnterDeps, given: { label: string; ticket: string; nonce: string }) {
  const at = deps.clock.now()
  const passage = await redeemTicket(deps.db, { secret: given.ticket, purposes: ['http'], nonce: given.nonce, at })
  if (passage.workload.label !== given.label) throw new AppError('ticket', {})
  return mintDoorPass(deps.db, passage, at)
}

function passCookies(pass: { secret: string; expiresAt: Date }, now: Date): Record<string, string[]> {
  const seconds = Math.floor((pass.expiresAt.getTime() - now.getTime()) / 1000)
  return {
    'set-cookie': [`${APP_COOKIE}=${pass.secret}; ${COOKIE}; Max-Age=${seconds}`, `${PRE_COOKIE}=; ${COOKIE}; Max-Age=0`],
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
