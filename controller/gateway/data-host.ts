import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { LIMITS } from '@/domain/limits'
import { addresses } from '@/domain/settings'
import { FRAME_HEADER_BYTES } from '@/protocol/terminal'
import { allowDashboard, answerPreflight, isAllowedFrom } from './data-request'
import { READ_PATHS } from './read-asks'
import type { Reads } from './reads'
import { type Exchange, refuse, refuseUpgrade, type SimpleRefusal } from './refusals'

/** Sockets that have not shown a ticket yet, all together. */
const STRANGERS_MAX = 200

/**
 * The dashboard's data host. No cookie is valid here: each socket shows a ticket of its own in its first message, each
 * request in its `Authorization` or its form.
 */
export class DataHost {
  readonly #dashboardPort: number
  readonly #onTerminal: (socket: WebSocket) => Promise<void>
  readonly #sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: LIMITS.stdinFrameBytes + FRAME_HEADER_BYTES,
  })
  readonly #strangers = new Set<WebSocket>()
  readonly #reads: Reads

  constructor(deps: { dashboardPort: number; onTerminal: (socket: WebSocket) => Promise<void>; reads: Reads }) {
    this.#dashboardPort = deps.dashboardPort
    this.#onTerminal = deps.onTerminal
    this.#reads = deps.reads
  }

  /** A request that is no upgrade: bytes of a workload for a ticket. */
  async request(exchange: Exchange): Promise<void> {
    const { request, response } = exchange
    const { dashboardOrigin } = addresses(this.#dashboardPort)
    const path = request.url ?? ''
    if (!Object.hasOwn(READ_PATHS, path)) return refuse(exchange, { code: 'not_here' })
    if (!isAllowedFrom(request, dashboardOrigin)) return refuse(exchange, { code: 'cross_site' })
    allowDashboard(request, response, dashboardOrigin)
    if (request.method === 'OPTIONS') return answerPreflight(response)
    if (request.method !== 'POST') return refuse(exchange, { code: 'method' })
    await this.#reads.serve(exchange, path)
  }

  upgrade(request: IncomingMessage, client: { socket: Socket; head: Buffer }): void {
    const refusal = this.#refusal(request)
    if (refusal) refuseUpgrade(client.socket, refusal)
    else this.#sockets.handleUpgrade(request, client.socket, client.head, (socket) => void this.#welcome(socket))
  }

  /** Ends who has shown no ticket yet; the others are ended by who let them in. */
  close(): void {
    for (const socket of this.#strangers) socket.terminate()
    this.#sockets.close()
  }

  async #welcome(socket: WebSocket): Promise<void> {
    this.#strangers.add(socket)
    await this.#onTerminal(socket).finally(() => this.#strangers.delete(socket))
  }

  #refusal(request: IncomingMessage): SimpleRefusal | null {
    if (request.url !== '/terminal') return { code: 'not_here' }
    if (!isAllowedFrom(request, addresses(this.#dashboardPort).dashboardOrigin)) return { code: 'cross_site' }
    return this.#strangers.size >= STRANGERS_MAX ? { code: 'too_many' } : null
  }
}
