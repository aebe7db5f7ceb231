import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { LIMITS } from '@/domain/limits'
import { addresses } from '@/domain/settings'
import { FRAME_HEADER_BYTES } from '@/protocol/terminal'
import { refuseUpgrade, type SimpleRefusal } from './refusals'

/** Sockets that have not shown a ticket yet, all together. */
const STRANGERS_MAX = 200

/**
 * The dashboard's data host. No cookie is valid here: each socket shows a ticket of its own in its first message. Browsers
 * are let in from exactly the dashboard; programs, which send no Origin, only when they show no sign of a browser.
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

  constructor(deps: { dashboardPort: number; onTerminal: (socket: WebSocket) => Promise<void> }) {
    this.#dashboardPort = deps.dashboardPort
    this.#onTerminal = deps.onTerminal
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
    if (!this.#isAllowedFrom(request)) return { code: 'cross_site' }
    return this.#strangers.size >= STRANGERS_MAX ? { code: 'too_many' } : null
  }

  #isAllowedFrom(request: IncomingMessage): boolean {
    const { origin, cookie } = request.headers
    if (origin !== undefined) return origin === addresses(this.#dashboardPort).dashboardOrigin
    const hasFetchMetadata = Object.keys(request.headers).some((name) => name.startsWith('sec-fetch-'))
    return cookie === undefined && !hasFetchMetadata
  }
}
