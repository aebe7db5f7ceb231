import { EventEmitter } from 'node:events'
import type { RawData, WebSocket } from 'ws'
import { LIMITS } from '@/domain/limits'
import {
  type ClientMessage,
  clientMessage,
  decodeFrame,
  FRAME,
  FRAME_HEADER_BYTES,
  type FrameKind,
  type ServerMessage,
} from '@/protocol/terminal'
import { CLOSE } from '@/protocol/version'

type ClientEvents = {
  message: [Exclude<ClientMessage, { type: 'hello' }>]
  stdin: [Uint8Array]
  /** The socket can take more again. */
  drain: []
}
type Hello = Extract<ClientMessage, { type: 'hello' }>

/** Above the first the session-host waits; below the second it goes on. */
const FULL_BYTES = 1_048_576
const LOW_BYTES = 262_144
const OVERFULL_BYTES = 16_777_216
/** Bytes sent but not drawn yet, for clients that say how far they are. */
const UNDRAWN_BYTES = 2_097_152
const MESSAGES_PER_SECOND = 500
/** Silence after which a socket is dead: three pings. */
const DEAD_PINGS = 3
/** Words between gateway and session-host. From a client they are noise, which is dropped. */
const NOT_FOR_CLIENTS = new Set(['attach', 'bind', 'unbind', 'bound', 'attached', 'control', 'control_ack'])

/** The socket of one terminal window: bounded, parsed messages in, frames out, pinged every 20 s. */
export class TerminalClient extends EventEmitter<ClientEvents> {
  /** Settles with the code once the socket is closed, however late one asks. */
  readonly closed: Promise<number>
  readonly #socket: WebSocket
  readonly #pings: NodeJS.Timeout
  #hello: ((hello: Hello | null) => void) | null = null
  #unanswered = 0
  #second = { start: 0, messages: 0 }
  #sent = 0
  #drawn: number | null = null
  #wasFull = false
  #isEnding = false

  constructor(socket: WebSocket) {
    super()
    this.#socket = socket
    this.#pings = setInterval(() => this.#ping(), LIMITS.pingSeconds * 1000)
    socket.on('pong', () => {
      this.#unanswered = 0
    })
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary))
    socket.on('error', () => undefined) // broken frames and lost connections; a close follows
    this.closed = new Promise((resolve) => socket.once('close', resolve))
    socket.once('close', () => this.#left())
  }

  /** The first message, which must be a hello and come within 5 s; null when the socket was closed instead. */
  hello(): Promise<Hello | null> {
    const late = setTimeout(() => this.close(CLOSE.policy, 'no hello'), LIMITS.helloSeconds * 1000)
    return new Promise<Hello | null>((resolve) => {
      this.#hello = resolve
    }).finally(() => clearTimeout(late))
  }

  say(message: ServerMessage): void {
    this.#socket.send(JSON.stringify(message))
  }

  /** Sends bytes of the session, `u8, u64 seq, bytes` as the session-host's stream gave them; the kind is written into their first byte. */
  send(kind: FrameKind, frame: Buffer): void {
    frame.writeUInt8(kind, 0)
    this.#sent = Number(frame.readBigUInt64BE(1)) + (kind === FRAME.output ? frame.byteLength - FRAME_HEADER_BYTES : 0)
    this.#socket.send(frame, () => this.#lookForRoom())
  }

  /** This client takes bytes more slowly than they come. */
  get isFull(): boolean {
    const limit = this.#wasFull ? LOW_BYTES : FULL_BYTES
    const undrawn = this.#drawn === null ? 0 : this.#sent - this.#drawn
    this.#wasFull = this.#socket.bufferedAmount > limit || undrawn > UNDRAWN_BYTES
    return this.#wasFull
  }

  /** So slow that not even the answer to a claim may pass. */
  get isOverfull(): boolean {
    return this.#socket.bufferedAmount > OVERFULL_BYTES
  }

  /** Stops reading what is typed until the session takes it. */
  pauseUntil(ready: (then: () => void) => void): void {
    if (this.#socket.isPaused) return
    this.#socket.pause()
    ready(() => this.#socket.resume())
  }

  /** Takes nothing more from this client and tells it why. */
  close(code: number, reason: string): void {
    this.#isEnding = true
    this.#socket.close(code, reason.slice(0, 120))
    // A client that never answers the closing handshake is not waited for.
    setTimeout(() => this.#socket.terminate(), 1000).unref()
  }

  #receive(data: RawData, isBinary: boolean): void {
    if (this.#isEnding) return // closed, or about to be: what still comes counts for nothing
    this.#unanswered = 0 // over a slow link a ping waits behind the output for longer than three of them
    const bytes = Buffer.isBuffer(data) ? data : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)])
    if (isBinary) this.#receiveFrame(bytes)
    else this.#receiveMessage(parseJson(bytes))
  }

  #receiveFrame(bytes: Buffer): void {
    const frame = decodeFrame(bytes)
    if (frame?.kind !== FRAME.stdin || this.#hello !== null) this.#malformed()
    else this.emit('stdin', frame.bytes)
  }

  #receiveMessage(value: unknown): void {
    const message = clientMessage.safeParse(value)
    const isHello = message.data?.type === 'hello'
    if (this.#isTooMany()) this.close(CLOSE.policy, 'too many messages')
    else if (!message.success && NOT_FOR_CLIENTS.has(typeOf(value))) return
    else if (!message.success || isHello !== (this.#hello !== null)) this.#malformed()
    else if (message.data.type === 'hello') this.#greeted(message.data)
    else if (message.data.type === 'ack') this.#ack(message.data.seq)
    else this.emit('message', message.data)
  }

  #greeted(hello: Hello | null): void {
    this.#hello?.(hello)
    this.#hello = null
  }

  #ack(seq: number): void {
    this.#drawn = Math.max(this.#drawn ?? 0, Math.min(seq, this.#sent))
    this.#lookForRoom()
  }

  #lookForRoom(): void {
    if (this.#wasFull && !this.isFull) this.emit('drain')
  }

  #isTooMany(): boolean {
    const now = performance.now()
    if (now - this.#second.start > 1000) this.#second = { start: now, messages: 0 }
    return ++this.#second.messages > MESSAGES_PER_SECOND
  }

  #malformed(): void {
    this.close(CLOSE.policy, 'malformed')
  }

  /** Who is not read from cannot be heard answering: then it is the writing that finds a lost one. */
  #ping(): void {
    if (!this.#socket.isPaused && ++this.#unanswered > DEAD_PINGS) this.#socket.terminate()
    else if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
  }

  #left(): void {
    clearInterval(this.#pings)
    this.#isEnding = true
    this.#greeted(null)
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null // no JSON: the schema refuses null
  }
}

function typeOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'type' in value ? String(value.type) : ''
}
