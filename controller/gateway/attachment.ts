import { randomBytes } from 'node:crypto'
import type { Instance } from '@/domain/ids'
import type { FromHost } from '@/protocol/host'
import { type ClientMessage, FRAME, type FrameKind, type ServerMessage, type TerminalMode } from '@/protocol/terminal'
import { CLOSE, PROTOCOL } from '@/protocol/version'
import type { Hold } from '@/server/auth/control'
import type { HostStream } from './host-stream'
import type { TerminalClient } from './terminal-client'

type Hello = Extract<ClientMessage, { type: 'hello' }>
type Greeting = Extract<FromHost, { type: 'attached' }>
type Parts = {
  client: TerminalClient
  host: HostStream
  instance: Instance
  tenantId: string
  person: { id: string; name: string }
  mayControl: boolean
}

const ATTACH_MS = 5000
const BIND_MS = 2000
/** What may wait in memory until a window was told its mode. */
const WAITING_BYTES_MAX = 8_388_608

/**
 * One window on one session: its socket, its stream to the session-host, and whether it may type. Nothing of the session
 * reaches the window before it was told its mode.
 */
export class Attachment {
  /** Names this attachment as a holder of control; fresh each time, never shown. */
  readonly id = randomBytes(16).toString('hex')
  readonly parts: Parts
  /** What it took; null: it watches. */
  hold: Hold | null = null
  /** Called when the session-host says that another one may type now, at this gateway or elsewhere. */
  onDisplaced: (controllerGen: number) => void = () => undefined
  #size: { cols: number; rows: number }
  #greeting: Greeting | null = null
  #waiting: (() => void)[] | null = []
  #waitingBytes = 0
  #isPaused = false
  #isBinding = false
  #hasExited = false

  constructor(parts: Parts, size: { cols: number; rows: number }) {
    this.parts = parts
    this.#size = size
    parts.host.on('message', (message) => this.#relay(message))
    parts.host.on('output', (frame) => this.#pass(FRAME.output, frame))
    parts.host.on('snapshot', (frame) => this.#pass(FRAME.snapshot, frame))
    parts.host.on('close', () => this.#hostGone())
    parts.client.on('drain', () => this.#flow())
    parts.client.on('stdin', (bytes) => this.#type(bytes))
    void parts.client.closed.then(() => parts.host.destroy())
  }

  get mode(): TerminalMode {
    return this.hold === null ? 'view' : 'control'
  }

  /** The session-host's own generation; a claim must go above it. */
  get hostGen(): number {
    return this.#greeting?.controllerGen ?? 0
  }

  /** Opens the session-host's stream; false when it did not answer in time. */
  async greet(hello: Hello): Promise<boolean> {
    const { instance, host, mayControl } = this.parts
    const isSameRun = hello.since?.workloadGen === instance.workloadGen
    const greeted = this.#next(['attached'], ATTACH_MS)
    host.say({
      type: 'attach',
      protocol: PROTOCOL.host,
      attachmentId: this.id,
      mode: mayControl ? 'control' : 'view',
      ...(isSameRun ? { since: hello.since?.seq ?? 0 } : {}),
      ...this.#size,
    })
    const answer = await greeted
    if (answer?.type !== 'attached') return false
    this.#greeting = answer
    return true
  }

  /** Makes this stream the only one whose input counts; true once the session-host said so. */
  async bind(controllerGen: number): Promise<boolean> {
    const answered = this.#next(['bound', 'stale'], BIND_MS)
    this.#isBinding = true
    this.#flow()
    this.parts.host.say({ type: 'bind', controllerGen })
    const answer = await answered
    this.#isBinding = false
    this.#flow()
    return answer?.type === 'bound' && answer.controllerGen === controllerGen
  }

  /** May type from now on, at the size of this window. */
  takeOver(hold: Hold): void {
    this.hold = hold
    this.parts.host.say({ type: 'resize', controllerGen: hold.controllerGen, ...this.#size })
  }

  /** Only watches from now on; what it typed and is still on its way is dropped by the session-host. */
  standDown(): void {
    const { hold } = this
    this.hold = null
    if (hold) this.parts.host.say({ type: 'unbind', controllerGen: hold.controllerGen })
  }

  /** The first word to the window, and then everything that waited for it. */
  welcome(controllerGen: number): void {
    const { cols, rows, workloadGen } = this.#greeting ?? { ...this.#size, workloadGen: this.parts.instance.workloadGen }
    this.parts.client.say({ type: 'attached', mode: this.mode, controllerGen, workloadGen })
    this.parts.client.say({ type: 'size', cols, rows })
    const waiting = this.#waiting ?? []
    this.#waiting = null
    this.#waitingBytes = 0
    for (const send of waiting) send()
    this.#flow()
  }

  /** Says something to a window that was welcomed already; others learn it from their welcome. */
  tell(message: ServerMessage): void {
    if (this.#waiting === null) this.parts.client.say(message)
  }

  resize(size: { cols: number; rows: number }): void {
    this.#size = { cols: size.cols, rows: size.rows }
    if (this.hold) this.parts.host.say({ type: 'resize', controllerGen: this.hold.controllerGen, ...this.#size })
  }

  /** The next message of one of these types; null when it does not come in time or the stream ends. */
  #next(types: readonly FromHost['type'][], ms: number): Promise<FromHost | null> {
    const { host } = this.parts
    return new Promise((resolve) => {
      const settle = (message: FromHost | null) => {
        clearTimeout(timer)
        host.off('message', look)
        host.off('close', end)
        resolve(message)
      }
      const look = (message: FromHost) => types.includes(message.type) && settle(message)
      const end = () => settle(null)
      const timer = setTimeout(end, ms)
      host.on('message', look)
      host.on('close', end)
    })
  }

  #relay(message: FromHost): void {
    if (message.type === 'refused') this.parts.client.close(CLOSE.restarting, 'the session refused this connection')
    if (message.type === 'exit') this.#hasExited = true
    if (message.type === 'stale' && this.hold && this.hold.controllerGen < message.controllerGen)
      this.onDisplaced(message.controllerGen)
    if (message.type === 'snapshot' || message.type === 'size' || message.type === 'gap' || message.type === 'exit')
      this.#later(() => this.parts.client.say(message))
  }

  #pass(kind: FrameKind, frame: Buffer): void {
    this.#later(() => this.parts.client.send(kind, frame))
    if (this.#waiting !== null) this.#waitingBytes += frame.byteLength
    this.#flow()
  }

  #later(send: () => void): void {
    if (this.#waiting === null) send()
    else this.#waiting.push(send)
  }

  /** While a binding is under way its answer must come through, however slow the window is. */
  #flow(): void {
    const { client } = this.parts
    const isSlow = this.#isBinding ? client.isOverfull : client.isFull
    const shouldPause = isSlow || this.#waitingBytes > WAITING_BYTES_MAX
    if (shouldPause === this.#isPaused) return
    this.#isPaused = shouldPause
    if (shouldPause) this.parts.host.pause()
    else this.parts.host.resume()
  }

  #type(bytes: Uint8Array): void {
    if (!this.hold) return
    const { host, client } = this.parts
    host.type(this.hold.controllerGen, bytes)
    if (host.needsDrain) client.pauseUntil((then) => host.whenWritable(then))
  }

  #hostGone(): void {
    if (this.#hasExited) this.parts.client.close(CLOSE.gone, 'the program ended')
    else this.parts.client.close(CLOSE.restarting, 'the connection to the session broke off')
  }
}
