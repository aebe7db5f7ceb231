import { type ClientMessage, decodeFrame, encodeFrame, FRAME, type ServerMessage, type TerminalMode } from '@/protocol/terminal'
import { CLOSE, PROTOCOL } from '@/protocol/version'
import { onBrowserWake } from './browser-wake'
import { ConnectionEvents, type TerminalEvents, type TerminalStatus } from './connection-events'
import type { TerminalOptions } from './connection-options'
import { OutputCursor } from './output-cursor'
import { readMessage } from './read-message'
import { RetryTimer } from './retry-timer'
import { StdinBatch } from './stdin-batch'
import { openTerminalSocket, type TerminalSocket } from './terminal-socket'

const STDIN_BUFFER_BYTES = 8 * 2 ** 20

/**
 * One terminal of a session, without a screen: `on(event, listener)`, `connect()`, then `send()`, `resize()`, `claim()`,
 * `release()`, `rendered(seq)` from the renderer's write callback, and `close()`. It comes back by itself from the last
 * byte handed out, asks for control again only if nobody took it meanwhile, and never replays input.
 */
export class TerminalConnection {
  readonly #options: TerminalOptions
  readonly #events = new ConnectionEvents()
  readonly #cursor = new OutputCursor()
  readonly #stdin = new StdinBatch((bytes) => this.#socket?.send(encodeFrame(FRAME.stdin, 0, bytes)))
  #socket: TerminalSocket | null = null
  #status: TerminalStatus = 'closed'
  #mode: TerminalMode = 'view'
  #controllerGen = 0
  #size: { cols: number; rows: number }
  /** What the gateway was told at the start: a resize during that time must not be lost. */
  #helloSize: { cols: number; rows: number } | null = null
  #snapshotSize: { cols: number; rows: number } | null = null
  #hasAttached = false
  #hasExited = false
  #forgetBrowser: (() => void) | null = null
  readonly #timer = new RetryTimer()
  /** Rises with every connect, loss and close: what belongs to an older one is ignored. */
  #attempt = 0

  constructor(options: TerminalOptions) {
    this.#options = options
    this.#size = { cols: options.cols, rows: options.rows }
  }

  get status(): TerminalStatus {
    return this.#status
  }
  get mode(): TerminalMode {
    return this.#mode
  }
  get controllerGen(): number {
    return this.#controllerGen
  }

  /** Adds a listener; returns the function that removes it. */
  on<E extends keyof TerminalEvents>(event: E, listener: (value: TerminalEvents[E]) => void): () => void {
    return this.#events.on(event, listener)
  }

  /** Connects now; also ends a wait, and starts again after `ended` or `closed`. */
  connect(): void {
    if (this.#status === 'connecting' || this.#status === 'open') return
    this.#forgetBrowser ??= onBrowserWake(() => this.#status === 'waiting' && this.connect())
    this.#hasExited = false
    const attempt = ++this.#attempt
    this.#setStatus('connecting')
    this.#timer.opening(() => this.#lose(attempt, null))
    this.#options.getTicket().then(
      (ticket) => this.#open(attempt, ticket),
      () => this.#lose(attempt, null),
    )
  }

  /** Ends for good and gives control back. */
  close(): void {
    if (this.#status === 'closed') return
    this.#drop(1000)
    this.#begin()
    this.#forgetBrowser?.()
    this.#forgetBrowser = null
    this.#setStatus('closed')
  }

  /** Types. False: dropped, because this window may not type now or is not connected. */
  send(input: string | Uint8Array): boolean {
    if (this.#status !== 'open' || this.#mode !== 'control') return false
    if ((this.#socket?.bufferedAmount ?? 0) > STDIN_BUFFER_BYTES) return false
    this.#stdin.add(typeof input === 'string' ? new TextEncoder().encode(input) : input)
    return true
  }

  /** Size of this window; the terminal takes it while this window types. */
  resize(cols: number, rows: number): void {
    this.#size = { cols, rows }
    this.#say({ type: 'resize', cols, rows })
  }

  /** Asks to type, whoever does now. The answer is a `mode` event. */
  claim(): void {
    this.#say({ type: 'claim', expected: this.#controllerGen })
  }

  /** Gives control back; this window goes on watching. */
  release(): void {
    this.#stdin.discard()
    this.#say({ type: 'release' })
  }

  /** The renderer has drawn everything before `seq`: lets the gateway send more. */
  rendered(seq: number): void {
    const acked = this.#cursor.drawn(seq)
    if (acked !== null) this.#say({ type: 'ack', seq: acked })
  }

  #open(attempt: number, ticket: string | null): void {
    if (attempt !== this.#attempt) return
    if (ticket === null) {
      this.#end(null)
      return
    }
    const socket = this.#options.openSocket?.(this.#options.url) ?? openTerminalSocket(this.#options.url)
    this.#socket = socket
    socket.binaryType = 'arraybuffer'
    socket.onopen = () => socket.send(JSON.stringify(this.#hello(ticket)))
    socket.onmessage = (event) => this.#receive(attempt, event.data)
    socket.onclose = (event) => this.#lose(attempt, event.code)
    socket.onerror = () => undefined // a close follows
  }

  #hello(ticket: string): ClientMessage {
    const since = this.#cursor.since ?? undefined
    this.#helloSize = this.#size
    const hello = { type: 'hello' as const, protocol: PROTOCOL.terminal, ticket, since, ...this.#size }
    if (!this.#hasAttached) return { ...hello, mode: this.#options.mode }
    if (this.#mode === 'view') return { ...hello, mode: 'view' }
    return { ...hello, mode: 'control', expected: this.#controllerGen }
  }

  #receive(attempt: number, data: unknown): void {
    if (attempt !== this.#attempt) return
    if (data instanceof ArrayBuffer) {
      this.#receiveBytes(new Uint8Array(data))
      return
    }
    const message = readMessage(data)
    if (message) this.#receiveMessage(message)
  }

  #receiveMessage(message: ServerMessage): void {
    if (message.type === 'attached') this.#attached(message)
    if (message.type === 'snapshot') this.#snapshotSize = { cols: message.cols, rows: message.rows }
    if (message.type === 'size') this.#events.emit('size', { cols: message.cols, rows: message.rows })
    if (message.type === 'gap') this.#skip(message.from, message.to)
    if (message.type === 'exit') this.#exit(message.code)
    if (message.type === 'stale') this.#setMode(this.#mode, message.controllerGen, true)
    if (message.type === 'control_changed') this.#setMode(message.mode, message.controllerGen)
    if (message.type === 'presence') this.#events.emit('presence', { viewers: message.viewers, controller: message.controller })
    if (message.type === 'notice') this.#events.emit('notice', { reason: message.reason })
  }

  #attached(message: Extract<ServerMessage, { type: 'attached' }>): void {
    this.#cursor.begin(message.workloadGen)
    this.#hasAttached = true
    this.#timer.opened()
    this.#setStatus('open')
    if (this.#size !== this.#helloSize) this.#say({ type: 'resize', ...this.#size })
    this.#setMode(message.mode, message.controllerGen)
  }

  #setMode(mode: TerminalMode, controllerGen: number, wasRefused = false): void {
    if (mode === 'view') this.#stdin.discard()
    this.#mode = mode
    this.#controllerGen = controllerGen
    this.#events.emit('mode', { mode, controllerGen, wasRefused })
  }

  #receiveBytes(data: Uint8Array): void {
    const frame = decodeFrame(data)
    if (frame?.kind === FRAME.snapshot) {
      this.#cursor.reset(frame.seq)
      this.#events.emit('snapshot', { bytes: frame.bytes, seq: frame.seq, ...(this.#snapshotSize ?? this.#size) })
    }
    const piece = frame?.kind === FRAME.output ? this.#cursor.take(frame.seq, frame.bytes) : null
    if (piece?.skipped) this.#events.emit('gap', piece.skipped)
    if (piece) this.#events.emit('output', { bytes: piece.bytes, seq: piece.seq })
  }

  #skip(from: number, to: number): void {
    this.#cursor.skipTo(to)
    this.#events.emit('gap', { from, to })
  }

  #exit(code: number | null): void {
    this.#hasExited = true
    this.#events.emit('exit', { code })
  }

  #lose(attempt: number, closeCode: number | null): void {
    if (attempt !== this.#attempt) return
    if (this.#hasExited || closeCode === CLOSE.protocol) {
      this.#end(closeCode)
      return
    }
    this.#drop()
    const retryInMs = this.#timer.lost(() => this.connect())
    this.#setStatus('waiting', { retryInMs, closeCode })
  }

  #end(closeCode: number | null): void {
    this.#drop()
    this.#begin()
    this.#forgetBrowser?.()
    this.#forgetBrowser = null
    this.#setStatus('ended', { retryInMs: null, closeCode })
  }

  /** The next connect is a first one again: it asks for what this window was made for. */
  #begin(): void {
    this.#hasAttached = false
    this.#mode = 'view'
  }

  /** Lets go of the socket and of everything that was on its way. */
  #drop(code?: number): void {
    this.#attempt++
    this.#timer.stop()
    this.#stdin.discard()
    this.#socket?.close(code)
    this.#socket = null
  }

  #setStatus(status: TerminalStatus, more: { retryInMs: number | null; closeCode: number | null } = NONE): void {
    this.#status = status
    this.#events.emit('status', { status, ...more })
  }

  #say(message: ClientMessage): void {
    if (this.#status === 'open') this.#socket?.send(JSON.stringify(message))
  }
}

const NONE = { retryInMs: null, closeCode: null }
