import type { WebSocket } from 'ws'
import type { WorkloadBackend } from '@/backends/backend'
import { AppError } from '@/domain/errors'
import type { Clock } from '@/kit/clock'
import type { Log } from '@/kit/log'
import type { ClientMessage } from '@/protocol/terminal'
import { CLOSE, PROTOCOL } from '@/protocol/version'
import { type Passage, redeemTicket } from '@/server/auth/tickets'
import type { Db } from '@/server/store/db'
import { type Access, standing } from './access'
import { Attachment } from './attachment'
import { openDoor } from './door-stream'
import { serveExec } from './exec-window'
import { HostStream } from './host-stream'
import type { OpenConnections } from './open-connections'
import { TerminalClient } from './terminal-client'
import { TerminalRoom } from './terminal-room'
import { TerminalRooms } from './terminal-rooms'

type TerminalDeps = {
  db: Db
  clock: Clock
  log: Log
  backend: Pick<WorkloadBackend, 'connect'>
  access: Access
  open: OpenConnections
}
type Hello = Extract<ClientMessage, { type: 'hello' }>

/** How a window says that it left on purpose: closed by its page, or with it. */
const ON_PURPOSE: readonly number[] = [1000, 1001, 1005]

/** The terminals of sessions: lets a window in by its ticket and keeps one room per session. */
export class Terminals {
  readonly #deps: TerminalDeps
  readonly #rooms: TerminalRooms<TerminalRoom>
  #isClosing = false

  constructor(deps: TerminalDeps) {
    this.#deps = deps
    this.#rooms = new TerminalRooms(() => new TerminalRoom(deps))
  }

  /** Serves one socket; resolves once it has shown a ticket or is closed. */
  async accept(socket: WebSocket): Promise<void> {
    const client = new TerminalClient(socket)
    const hello = await client.hello()
    if (!hello) return
    if (hello.protocol !== PROTOCOL.terminal && hello.protocol !== PROTOCOL.terminal - 1)
      return client.close(CLOSE.protocol, 'this page is of another version of Berth; reload it')
    const passage = await this.#redeem(client, hello)
    if (passage) this.#enter(client, { hello, passage }).catch((error: unknown) => this.#failed(client, error))
  }

  /** Prolongs the leases of everybody who types here. */
  async renew(): Promise<void> {
    for (const room of this.#rooms.all()) {
      await room.renew().catch((error: unknown) => this.#deps.log.error('a control lease could not be renewed', { error }))
    }
  }

  /** Tells the windows of each session which hosts it was just refused. */
  async tellRefused(): Promise<void> {
    for (const room of this.#rooms.all()) {
      await room.tellRefused().catch((error: unknown) => this.#deps.log.error('a refusal could not be told', { error }))
    }
  }

  /** From now on a window that goes keeps its lease: it comes back to the next controller. */
  beginClosing(): void {
    this.#isClosing = true
  }

  async #redeem(client: TerminalClient, hello: Hello): Promise<Passage | null> {
    try {
      const purposes = hello.command ? (['exec'] as const) : (['terminal-control', 'terminal-view'] as const)
      return await redeemTicket(this.#deps.db, { secret: hello.ticket, purposes, nonce: null, at: this.#deps.clock.now() })
    } catch (error) {
      if (error instanceof AppError) client.close(CLOSE.unauthorized, error.message)
      else this.#failed(client, error)
      return null
    }
  }

  async #enter(client: TerminalClient, from: { hello: Hello; passage: Passage }): Promise<void> {
    const { ticket } = from.passage
    const allowed = standing(from.passage)
    if (!allowed) return client.close(CLOSE.gone, 'this session does not run now')
    const forget = this.#deps.open.add({
      userId: ticket.userId,
      tenantId: ticket.tenantId,
      isAllowed: async () => (await this.#deps.access.passage(ticket)) !== null,
      end: () => client.close(this.#isClosing ? CLOSE.restarting : CLOSE.unauthorized, 'this connection is not allowed any more'),
    })
    if (!forget) return client.close(CLOSE.policy, 'you have too many terminals open')
    void client.closed.then(forget)
    const stream = await this.#connect(client, allowed.instance)
    if (!stream) return
    if (from.hello.command) return serveExec(client, new HostStream(stream), from.hello)
    const { instance, person } = allowed
    const mayControl = ticket.purpose === 'terminal-control' && allowed.mayOpen
    const parts = { client, host: new HostStream(stream), instance, tenantId: ticket.tenantId, person, mayControl }
    await this.#serve(new Attachment(parts, { cols: from.hello.cols, rows: from.hello.rows }), from.hello)
  }

  async #connect(client: TerminalClient, instance: Attachment['parts']['instance']) {
    try {
      return await openDoor(this.#deps.backend, instance, 'terminal')
    } catch (error) {
      const isGone = error instanceof AppError && error.code === 'not_found'
      this.#deps.log.info('a session did not answer', { workloadId: instance.workloadId, error })
      if (isGone) client.close(CLOSE.gone, 'this session does not run now')
      else client.close(CLOSE.restarting, 'this session cannot be reached now')
      return null
    }
  }

  async #serve(window: Attachment, hello: Hello): Promise<void> {
    const { client, instance } = window.parts
    if (!(await window.greet(hello))) return client.close(CLOSE.restarting, 'this session did not answer')
    const room = this.#rooms.of(instance.workloadId)
    // One after the other: a claim and a release of the same window never overtake each other.
    let turn = room.enter(window, hello).catch((error: unknown) => this.#failed(client, error))
    client.on('message', (message) => {
      turn = turn.then(() => this.#obey(room, window, message)).catch((error: unknown) => this.#failed(client, error))
    })
    const code = await client.closed
    await turn
    const isOnPurpose = ON_PURPOSE.includes(code) || (code === CLOSE.unauthorized && !this.#isClosing)
    await room.leave(window, isOnPurpose).finally(() => this.#rooms.tidy(instance.workloadId, room))
  }

  async #obey(room: TerminalRoom, window: Attachment, message: Exclude<ClientMessage, { type: 'hello' }>): Promise<void> {
    if (message.type === 'resize') window.resize(message)
    if (message.type === 'claim') await room.claim(window, message.expected)
    if (message.type === 'release') await room.release(window)
  }

  #failed(client: TerminalClient, error: unknown): void {
    this.#deps.log.error('a terminal failed', { error })
    client.close(CLOSE.restarting, 'Berth could not do this; its log says why')
  }
}
