import { WebSocket } from 'ws'
import { addresses } from '@/domain/settings'
import {
  type ClientMessage,
  decodeFrame,
  encodeFrame,
  FRAME,
  type ServerMessage,
  serverMessage,
  type TerminalMode,
} from '@/protocol/terminal'
import { CLOSE, PROTOCOL } from '@/protocol/version'
import { Failure } from '../failure'

const RETRY_BASE_MS = 100
const RETRY_CAP_MS = 2000
const ACK_BYTES = 262_144
const STDIN_BYTES = 32_768
const CLOSE_WITHIN_MS = 1000

type Size = { cols: number; rows: number }
export type ConnectionOptions = {
  port: number
  mode: TerminalMode
  /** Takes control from whoever has it, at the first connect. */
  isTaking: boolean
  size: Size
  /** A fresh ticket for each connect. A rejection that `isFinal` knows ends the connection; others are tried again. */
  ticket: () => Promise<string>
  isFinal: (error: unknown) => boolean
  /** Bytes of the session, each once; `isScreen`: paint them on a cleared screen. Calls back when they are drawn. */
  draw: (bytes: Uint8Array, isScreen: boolean, drawn: () => void) => void
  /** The gateway's words, after this connection has followed them. */
  hear: (message: ServerMessage) => void
  /** Lost, and tried again by itself; or there again. */
  reach: (isConnected: boolean) => void
}
export type Ended = { exitCode: number | null } | { error: unknown } | 'left'

/**
 * One terminal of a session over its protocol: comes back by itself from the last byte drawn, asks for control again only if
 * nobody took it meanwhile, and never sends again what was typed. Resolves `ended` when it is over.
 */
export class TerminalConnection {
  readonly ended: Promise<Ended>
  readonly #options: ConnectionOptions
  #end: (why: Ended) => void = () => undefined
  #socket: WebSocket | null = null
  #timer: NodeJS.Timeout | undefined
  #size: Size
  /** What the gateway was told at the start: a size that changes before the answer must not be lost. */
  #helloSize: Size | null = null
  #control: { mode: TerminalMode; controllerGen: number } | null = null
  #workloadGen = 0
  #next: number | null = null
  #acked = 0
  #failures = 0
  #isOver = false
  #early: Uint8Array[] = []

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#size = options.size
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
    void this.#connect()
  }

  get mode(): TerminalMode | null {
    return this.#control?.mode ?? null
  }

  /** Types; dropped while this window may not type or is not connected. What came before the first connect is kept for it. */
  type(bytes: Uint8Array): void {
    if (this.#control === null && !this.#isOver) this.#early.push(bytes)
    if (this.#control?.mode !== 'control' || this.#socket?.readyState !== WebSocket.OPEN) return
    for (let at = 0; at < bytes.byteLength; at += STDIN_BYTES)
      this.#socket.send(encodeFrame(FRAME.stdin, 0, bytes.subarray(at, at + STDIN_BYTES)))
  }

  resize(size: Size): void {
    this.#size = size
    this.#say({ type: 'resize', ...size })
  }

  take(): void {
    this.#say({ type: 'claim', expected: this.#control?.controllerGen ?? 0 })
  }

  release(): void {
    this.#say({ type: 'release' })
  }

  /** Leaves; the session goes on. */
  leave(): void {
    this.#finish('left')
  }

  async #connect(): Promise<void> {
    try {
      const ticket = await this.#options.ticket()
      if (!this.#isOver) this.#open(ticket)
    } catch (error) {
      if (this.#isOver) return
      if (this.#options.isFinal(error)) this.#finish({ error })
      else this.#lose()
    }
  }

  #open(ticket: string): void {
    const { dataHost, gatewayPort } = addresses(this.#options.port)
    const socket = new WebSocket(`ws://127.0.0.1:${gatewayPort}/terminal`, {
      headers: { host: dataHost },
      perMessageDeflate: false,
      handshakeTimeout: 10_000,
    })
    this.#socket = socket
    socket.on('open', () => socket.send(JSON.stringify(this.#hello(ticket))))
    socket.on('message', (data: Buffer, isBinary) => (isBinary ? this.#bytes(data) : this.#message(data)))
    socket.on('close', (code, reason) => this.#closed(code, reason.toString()))
    socket.on('error', () => undefined) // a close follows
  }

  #hello(ticket: string): ClientMessage {
    const since = this.#next === null ? undefined : { workloadGen: this.#workloadGen, seq: this.#next }
    this.#helloSize = this.#size
    const hello = { type: 'hello' as const, protocol: PROTOCOL.terminal, ticket, since, ...this.#size }
    if (!this.#control) return { ...hello, mode: this.#options.mode }
    const { mode, controllerGen } = this.#control
    return mode === 'view' ? { ...hello, mode } : { ...hello, mode, expected: controllerGen }
  }

  #message(data: Buffer): void {
    const message = serverMessage.safeParse(JSON.parse(data.toString('utf8'))).data
    if (!message) return // of a newer version
    this.#follow(message)
    this.#options.hear(message)
  }

  #follow(message: ServerMessage): void {
    if (message.type === 'attached') this.#attached(message)
    if (message.type === 'control_changed') this.#controlled(message)
    if (message.type === 'stale' && this.#control) this.#control.controllerGen = message.controllerGen
    if (message.type === 'gap') this.#next = Math.max(this.#next ?? 0, message.to)
    if (message.type !== 'exit') return
    // The last word: everything that was printed came before it, and the session-host stays for who wants to look.
    if (!this.#isOver) this.#finish({ exitCode: message.code })
  }

  #attached({ mode, controllerGen, workloadGen }: Extract<ServerMessage, { type: 'attached' }>): void {
    if (workloadGen !== this.#workloadGen) this.#next = null
    this.#workloadGen = workloadGen
    this.#acked = this.#next ?? 0
    const isFirst = this.#control === null
    this.#control = { mode, controllerGen }
    this.#failures = 0
    this.#options.reach(true)
    if (this.#size !== this.#helloSize) this.#say({ type: 'resize', ...this.#size })
    if (isFirst && this.#options.isTaking && mode === 'view') this.take()
    if (mode === 'control' || !this.#options.isTaking) this.#sendEarly()
  }

  #controlled({ mode, controllerGen }: Extract<ServerMessage, { type: 'control_changed' }>): void {
    this.#control = { mode, controllerGen }
    this.#sendEarly()
  }

  /** What was typed before it was known whether this window may type. */
  #sendEarly(): void {
    for (const bytes of this.#early.splice(0)) this.type(bytes)
  }

  #bytes(data: Buffer): void {
    const frame = decodeFrame(data)
    if (!frame || frame.kind === FRAME.stdin) return
    const isScreen = frame.kind === FRAME.snapshot
    if (isScreen) this.#next = frame.seq
    const known = isScreen ? 0 : Math.max(0, (this.#next ?? frame.seq) - frame.seq)
    if (known >= frame.bytes.byteLength && !isScreen) return
    if (!isScreen) this.#next = frame.seq + frame.bytes.byteLength
    const drawnTo = this.#next ?? 0
    this.#options.draw(frame.bytes.subarray(known), isScreen, () => this.#drawn(drawnTo))
  }

  /** Lets the gateway send more: a slow screen never makes this process keep what it has not drawn. */
  #drawn(seq: number): void {
    if (seq - this.#acked < ACK_BYTES) return
    this.#acked = seq
    this.#say({ type: 'ack', seq })
  }

  #closed(code: number, reason: string): void {
    this.#socket = null
    if (this.#isOver) return
    if (code === CLOSE.protocol || code === CLOSE.policy) this.#finish({ error: new Failure(reason) })
    else this.#lose()
  }

  #lose(): void {
    this.#options.reach(false)
    const delayMs = Math.min(RETRY_CAP_MS, RETRY_BASE_MS * 2 ** this.#failures)
    this.#failures = Math.min(this.#failures + 1, 10)
    this.#timer = setTimeout(() => void this.#connect(), delayMs)
  }

  #finish(why: Ended): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    const socket = this.#socket
    socket?.close(1000)
    // A gateway that does not answer the closing handshake is not waited for.
    setTimeout(() => socket?.terminate(), CLOSE_WITHIN_MS).unref()
    this.#end(why)
  }

  #say(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN && this.#control) this.#socket.send(JSON.stringify(message))
  }
}
