import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { DRIVER_ROWS, DRIVERS } from '@/domain/drivers'
import { addresses } from '@/domain/settings'
import { isTerminal } from '@/domain/states'
import type { Placement, Workload } from '@/domain/workloads'
import { readCookie } from '@/server/auth/cookies'
import type { Access, Standing } from './access'
import { type EnterDeps, enter, enterPage, startEntering } from './enter'
import type { OpenConnections } from './open-connections'
import { sendJson, sendText } from './pages'
import type { Pipe, PipeTarget } from './pipe'
import { type Exchange, isNavigation, type Refusal, refuse, refuseUpgrade, stateWords } from './refusals'
import { APP_COOKIE } from './request-headers'

type DoorDeps = EnterDeps & { access: Access; pipe: Pipe; open: OpenConnections }
/** One host: a workload, or another port of it. */
type At = { label: string; port: number | null }
type Admission = { standing: Standing; secret: string; port: number | null } | { refusal: Refusal }

/** The hosts of workloads: Berth's own paths under `/.berth/`, and everything else to the workload for who has a pass. */
export class Doors {
  readonly #deps: DoorDeps
  readonly #addresses: ReturnType<typeof addresses>

  constructor(deps: DoorDeps) {
    this.#deps = deps
    this.#addresses = addresses(deps.dashboardPort)
  }

  async request(exchange: Exchange, at: At): Promise<void> {
    const path = (exchange.request.url ?? '').split('?', 1)[0] ?? ''
    if (path === '/.berth' || path.startsWith('/.berth/')) return this.#own(exchange, { ...at, path })
    const admission = await this.#admit(exchange.request, { ...at, isUpgrade: false })
    if ('refusal' in admission) return this.#turnAway(exchange, admission.refusal)
    const { request, response } = exchange
    if (response.destroyed) return // left while it was judged; its close is over and would never be counted
    const end = () => response.destroy()
    const forget = this.#deps.open.add({ ...this.#watched(admission), end })
    if (!forget) return refuse(exchange, { code: 'too_many' })
    response.once('close', forget)
    this.#deps.pipe.web(request, response, targetOf(admission.standing, at))
  }

  async upgrade(request: IncomingMessage, client: { socket: Socket; head: Buffer }, at: At): Promise<void> {
    const { socket } = client
    const admission = await this.#admit(request, { ...at, isUpgrade: true })
    if ('refusal' in admission) return refuseUpgrade(socket, admission.refusal)
    if (socket.destroyed) return // left while it was judged, as above
    const forget = this.#deps.open.add({ ...this.#watched(admission), end: () => socket.destroy() })
    if (!forget) return refuseUpgrade(socket, { code: 'too_many' })
    socket.once('close', forget)
    this.#deps.pipe.upgrade(request, client, targetOf(admission.standing, at))
  }

  /** The one judgement in front of requests and upgrades alike. */
  async #admit(request: IncomingMessage, to: At & { isUpgrade: boolean }): Promise<Admission> {
    const cookie = readCookie(request.headers.cookie ?? null, APP_COOKIE)
    if (cookie.found === 'many') return { refusal: { code: 'ambiguous' } }
    const workload = await this.#deps.access.door(to.label)
    const closed = this.#closed(workload, to.port)
    if (closed) return { refusal: closed }
    const origin = this.#addresses.workloadOrigin(to.label, to.port)
    if (!isFromHere(request, { origin, isUpgrade: to.isUpgrade })) return { refusal: { code: 'cross_site' } }
    const standing = cookie.found === 'one' ? await this.#deps.access.pass({ secret: cookie.value, port: to.port }) : null
    if (cookie.found === 'none' || standing?.workload.label !== to.label) return { refusal: { code: 'no_pass' } }
    return { standing, secret: cookie.value, port: to.port }
  }

  #closed(workload: Workload | null, port: number | null): Refusal | null {
    if (!workload) return { code: 'unknown' }
    if (port !== null && workload.placement && !hasPorts(workload.placement)) return { code: 'no_ports' }
    if (isTerminal(workload.state) || workload.state === 'removing') return { code: 'ended' }
    if (workload.state === 'running') return null
    return { code: 'waiting', state: workload.state, dashboardOrigin: this.#addresses.dashboardOrigin }
  }

  #watched({ standing, ...shown }: { standing: Standing; secret: string; port: number | null }) {
    return {
      userId: standing.person.id,
      tenantId: standing.workload.tenantId,
      isAllowed: async () => (await this.#deps.access.pass(shown))?.workload.id === standing.workload.id,
    }
  }

  /** A person without a pass is sent to get one; everything else gets the refusal. */
  #turnAway(exchange: Exchange, refusal: Refusal): void {
    const isSent = refusal.code === 'no_pass' && isNavigation(exchange.request)
    const location = `/.berth/start?to=${encodeURIComponent(exchange.request.url ?? '/')}`
    if (isSent) sendText(exchange.response, { status: 303, text: 'Go to Berth.', headers: { location } })
    else refuse(exchange, refusal)
  }

  async #own(exchange: Exchange, to: At & { path: string }): Promise<void> {
    const { request, response } = exchange
    const workload = await this.#deps.access.doorNow(to.label)
    const closed = this.#closed(workload, to.port)
    if (closed && closed.code !== 'waiting') return refuse(exchange, closed)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (to.path === '/.berth/state' && workload) {
      return sendJson(response, 200, { isOpen: !closed, ...stateWords(workload.state) })
    }
    if (to.path === '/.berth/outputs' && to.port === null && isRead) return toOutputs(exchange, workload, this.#addresses)
    if (closed) return refuse(exchange, closed)
    if (to.path === '/.berth/start') return startEntering(exchange, { ...to, dashboardPort: this.#deps.dashboardPort })
    if (to.path === '/.berth/enter' && isRead) return enterPage(response)
    if (to.path === '/.berth/enter' && request.method === 'POST') return enter(this.#deps, exchange, to)
    return refuse(exchange, { code: to.path === '/.berth/enter' ? 'method' : 'not_here' })
  }
}

/** What a notebook saved is shown by the dashboard, which asks who looks; nothing of it is served from this host. */
function toOutputs(exchange: Exchange, workload: Workload | null, { dashboardOrigin }: { dashboardOrigin: string }): void {
  if (workload?.kind !== 'notebook') {
    refuse(exchange, { code: 'not_here' })
    return
  }
  const location = `${dashboardOrigin}/open/${workload.label}?show=outputs`
  sendText(exchange.response, { status: 303, text: 'Go to Berth.', headers: { location } })
}

function targetOf({ instance, person, workload }: Standing, { port }: At): PipeTarget {
  return { instance, door: port ?? 'main', userId: person.id, name: workload.name }
}

/** A port inside exists only where inside and outside are two networks. */
function hasPorts(placement: Placement): boolean {
  const row = DRIVER_ROWS.find((name) => name === placement.driver)
  return row !== undefined && DRIVERS[row].isolation !== 'none'
}

/**
 * A pass is sent along by the browser whoever asks, so what asks must be this host itself, or a person who opens it in a
 * window. Upgrades and writes name their exact origin. Programs that send none of these headers have no cookies to abuse.
 */
function isFromHere(request: IncomingMessage, here: { origin: string; isUpgrade: boolean }): boolean {
  const { origin } = request.headers
  if (here.isUpgrade) return origin === here.origin
  if (origin !== undefined && origin !== here.origin) return false
  const site = request.headers['sec-fetch-site']
  return site === undefined || site === 'same-origin' || site === 'none' || isNavigation(request)
}
