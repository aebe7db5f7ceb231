import { WebSocket } from 'ws'
import { addresses } from '@/domain/settings'
import { decodeFrame, encodeFrame, FRAME, type ServerMessage, type TerminalMode } from '@/protocol/terminal'
import type { Ctx } from '@/server/service/ctx'
import { mintTicket } from '@/server/service/tickets'
import type { Opened, TestGateway } from './gateway'
import { until } from './until'

type Asked = {
  mode?: TerminalMode
  purpose?: 'terminal-control' | 'terminal-view' | 'http'
  expected?: number
  since?: { workloadGen: number; seq: number }
  ctx?: Ctx
  ticket?: string
  protocol?: number
  cols?: number
  rows?: number
}

const TAIL_CHARS = 131_072

/** One terminal window as a test drives it: every frame is kept in order. */
export class TerminalWindow {
  readonly socket: WebSocket
  readonly messages: ServerMessage[] = []
  /** Kinds of frames in the order of arrival: message types, and `output` or `snapshot-bytes`. */
  readonly order: string[] = []
  snapshot: { seq: number; bytes: Buffer } | null = null
  /** Offset of the first output byte, and of the next one. */
  from: number | null = null
  next = 0
  readonly #pieces: Buffer[] = []
  #tail = ''
  closed: { code: number; reason: string } | null = null

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data: Buffer, isBinary) => (isBinary ? this.#bytes(data) : this.#message(data)))
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() }
    })
    socket.on('error', () => undefined)
  }

  say(message: object): this {
    this.socket.send(JSON.stringify(message))
    return this
  }

  type(text: string | Uint8Array): this {
    this.socket.send(encodeFrame(FRAME.stdin, 0, typeof text === 'string' ? Buffer.from(text) : text))
    return this
  }

  last<T extends ServerMessage['type']>(type: T): Extract<ServerMessage, { type: T }> | undefined {
    return this.messages.findLast((m): m is Extract<ServerMessage, { type: T }> => m.type === type)
  }

  /** Mode and generation as this window was last told. */
  get control(): { mode: TerminalMode; controllerGen: number } {
    const told = this.messages.findLast((m) => m.type === 'attached' || m.type === 'control_changed')
    if (told?.type !== 'attached' && told?.type !== 'control_changed') throw new Error('not told yet')
    return { mode: told.mode, controllerGen: told.controllerGen }
  }

  get output(): Buffer {
    return Buffer.concat(this.#pieces)
  }

  /** The painted screen and everything after it. */
  get screen(): string {
    return `${this.snapshot?.bytes.toString('utf8') ?? ''}${this.output.toString('utf8')}`
  }

  /** Waits for words in the latest output. */
  sees(text: string, withinMs?: number): Promise<number> {
    return until(`the window sees ${JSON.stringify(text)}`, () => this.#tail.includes(text), withinMs)
  }

  hears(type: ServerMessage['type'], count = 1): Promise<number> {
    return until(`the window hears ${type}`, () => this.messages.filter((m) => m.type === type).length >= count)
  }

  async end(withinMs?: number): Promise<{ code: number; reason: string }> {
    await until('the window is closed', () => this.closed !== null, withinMs)
    return this.closed ?? { code: 0, reason: '' }
  }

  #message(data: Buffer): void {
    const message: ServerMessage = JSON.parse(data.toString('utf8'))
    this.messages.push(message)
    this.order.push(message.type)
  }

  #bytes(data: Buffer): void {
    const frame = decodeFrame(data)
    if (!frame) throw new Error('a frame that cannot be read')
    if (frame.kind === FRAME.snapshot) {
      this.snapshot = { seq: frame.seq, bytes: Buffer.from(frame.bytes) }
      this.next = frame.seq
      this.#tail = this.snapshot.bytes.toString('utf8')
      this.order.push('snapshot-bytes')
      return
    }
    if (this.from !== null && frame.seq !== this.next) throw new Error(`expected byte ${this.next}, got ${frame.seq}`)
    this.from ??= frame.seq
    this.#pieces.push(Buffer.from(frame.bytes))
    this.#tail = (this.#tail + Buffer.from(frame.bytes).toString('utf8')).slice(-TAIL_CHARS)
    this.next = frame.seq + frame.bytes.byteLength
    this.order.push('output')
  }
}

/** Opens the socket as the dashboard's page does, without saying anything yet. */
export async function openTerminalSocket(test: TestGateway, headers: Record<string, string> = {}): Promise<TerminalWindow> {
  const { dataHost, dashboardOrigin } = addresses(test.dashboardPort)
  const opened = await test.upgrade({ host: dataHost, path: '/terminal', headers: { origin: dashboardOrigin, ...headers } })
  if (!(opened instanceof WebSocket)) throw new Error(`refused: ${opened.status}`)
  return new TerminalWindow(opened)
}

/** Opens a window with a fresh ticket and says hello. */
export async function openWindow(test: TestGateway, opened: Opened, asked: Asked = {}): Promise<TerminalWindow> {
  const { mode = 'control', purpose = 'terminal-control', ctx = opened.ctx, cols = 80, rows = 24, ...rest } = asked
  const ticket = asked.ticket ?? (await mintTicket(ctx, { workloadId: opened.workload.id, purpose })).ticket
  const window = await openTerminalSocket(test)
  window.say({ type: 'hello', protocol: 1, mode, cols, rows, ...rest, ticket })
  return window
}

/** Opens a window and waits until it was let in. */
export async function attachWindow(test: TestGateway, opened: Opened, asked: Asked = {}): Promise<TerminalWindow> {
  const window = await openWindow(test, opened, asked)
  await until('the window is attached or closed', () => window.closed !== null || window.last('attached') !== undefined)
  if (window.closed) throw new Error(`closed: ${window.closed.code} ${window.closed.reason}`)
  return window
}
