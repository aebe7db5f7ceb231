import { setMaxListeners } from 'node:events'
import http2, { type ClientHttp2Session, type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import type { MachineAnswer, MachineCall } from '@/backends/agents/machine-link'
import { AppError } from '@/domain/errors'
import { keepAlive } from '@/kit/keep-alive'
import { type Door, streamAuthority } from '@/protocol/paths'
import { TUNNEL } from '@/protocol/version'
import { AnswerBody } from './answer-body'
import { abandon, TunnelSocket } from './tunnel-socket'

export type TunnelTiming = { pingEveryMs: number; pingDeadlineMs: number; callMs: number; connectMs: number }
/** What a running controller waits; tests wait less. */
export const TUNNEL_TIMING: TunnelTiming = {
  pingEveryMs: TUNNEL.pingEveryMs,
  pingDeadlineMs: TUNNEL.pingDeadlineMs,
  callMs: 15_000,
  connectMs: 12_000,
}

/** Streams kept for the controller's own calls beside those of doors, and how many of them may read what a machine keeps. */
const OWN_STREAMS = 50
const READS_MAX = 40
/** Between two resets: an agent's HTTP/2 server ends a tunnel that resets more than about thirty streams a second. */
const RESET_GAP_MS = 50

/** What the agent answered to a call; its body is bounded and not yet believed. */
export type AgentAnswer = { status: number; text: string }

/** The controller's end of one tunnel: HTTP/2 client of a machine that dialled in. It never resets a stream of a door. */
export class AgentConnection {
  readonly #session: ClientHttp2Session
  readonly #timing: TunnelTiming
  /** Resolves when the tunnel is over, whoever ended it. */
  readonly closed: Promise<void>
  #doors = 0
  #reads = 0
  #nextResetAt = 0

  private constructor(session: ClientHttp2Session, timing: TunnelTiming) {
    this.#session = session
    this.#timing = timing
    this.closed = new Promise((resolve) => {
      session.once('close', () => resolve())
    })
  }

  /** Speaks HTTP/2 on a connection whose machine is known; resolves when the agent's settings came, rejects when they do not. */
  static open(socket: TLSSocket, timing: TunnelTiming): Promise<AgentConnection> {
    socket.setNoDelay(true)
    const session = http2.connect('http://agent', {
      createConnection: () => socket,
      maxSessionMemory: 256,
      peerMaxConcurrentStreams: TUNNEL.streamsMax,
      settings: { initialWindowSize: TUNNEL.streamWindowBytes, enablePush: false },
    })
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => session.destroy(new Error('the agent does not speak')), timing.callMs)
      session.once('close', () => clearTimeout(late))
      session.on('error', reject)
      session.once('close', () => reject(new Error('the tunnel closed at once')))
      session.once('remoteSettings', () => {
        clearTimeout(late)
        session.setLocalWindowSize(TUNNEL.connectionWindowBytes)
        keepAlive(session, { everyMs: timing.pingEveryMs, deadlineMs: timing.pingDeadlineMs })
        resolve(new AgentConnection(session, timing))
      })
    })
  }

  get isOpen(): boolean {
    return !this.#session.destroyed && !this.#session.closed
  }

  close(): void {
    this.#session.destroy()
  }

  /** Does the other end answer within that time? */
  answers(withinMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const late = setTimeout(() => resolve(false), withinMs)
      const settle = (isAnswered: boolean) => {
        clearTimeout(late)
        resolve(isAnswered)
      }
      this.#session.once('close', () => settle(false))
      if (!this.isOpen || !this.#session.ping((error) => settle(error === null))) settle(false)
    })
  }

  /** One call of the controller to the agent. An answer above `bytesMax` is refused unread; no answer in time ends the tunnel, because its agent hangs. */
  async call(path: string, body: string, bytesMax: number): Promise<AgentAnswer> {
    const stream = this.#request({ ':method': 'POST', ':path': path, 'content-type': 'application/json' })
    const late = setTimeout(() => this.#session.destroy(new Error('the agent does not answer a call')), this.#timing.callMs)
    try {
      stream.end(body)
      return await readAnswer(stream, bytesMax)
    } finally {
      clearTimeout(late)
    }
  }

  /** A stream of lines that the agent goes on sending; each is at most `charsMax` long. */
  async *lines(path: string, charsMax: number): AsyncGenerator<string> {
    const stream = this.#request({ ':method': 'GET', ':path': path }, true)
    stream.setEncoding('utf8')
    let rest = ''
    for await (const part of stream) {
      const lines = `${rest}${part}`.split('\n')
      rest = lines.pop() ?? ''
      yield* lines.filter((line) => line.length <= charsMax)
      if (rest.length <= charsMax) continue
      this.close()
      throw new Error('the agent sends a line without an end')
    }
  }

  /** A byte stream to one door of an instance. Errors: `unreachable` (named `machine`), `not_found`, `over_limit`. */
  async connect(to: { placementId: string; door: Door; machine: string }, signal: AbortSignal): Promise<Duplex> {
    signal.throwIfAborted()
    const max = TUNNEL.streamsMax - OWN_STREAMS
    if (this.#doors >= max) throw new AppError('over_limit', { limit: 'open connections to one machine', max })
    if (!this.isOpen) throw new AppError('unreachable', { machine: to.machine })
    const stream = this.#request({ ':method': 'CONNECT', ':authority': streamAuthority(to.placementId, to.door) })
    this.#doors += 1
    stream.once('close', () => {
      this.#doors -= 1
    })
    const headers = await this.#opened(stream, signal).catch((cause: unknown) => {
      abandon(stream)
      throw signal.aborted ? signal.reason : new AppError('unreachable', { machine: to.machine }, { cause })
    })
    const status = Number(headers[':status'])
    if (status === 200) return new TunnelSocket(stream)
    abandon(stream)
    throw new AppError('not_found', { what: status === 404 ? 'instance' : 'door' })
  }

  /** Asks the agent; its answer is a stream of bytes that the signal cancels too. Errors: `unreachable` (named `machine`), `over_limit`. */
  async ask(call: MachineCall & { machine: string }, signal: AbortSignal): Promise<MachineAnswer> {
    signal.throwIfAborted()
    const { path, body, machine, bytesMax, quietMs } = call
    if (this.#reads >= READS_MAX) throw new AppError('over_limit', { limit: 'readers of one machine', max: READS_MAX })
    if (!this.isOpen) throw new AppError('unreachable', { machine })
    const stream = this.#request({ ':method': 'POST', ':path': path, 'content-type': 'application/json' })
    this.#reads += 1
    stream.once('close', () => {
      this.#reads -= 1
    })
    const opened = this.#opened(stream, signal)
    stream.end(JSON.stringify(body))
    const headers = await opened.catch((cause: unknown) => {
      this.#reset(stream)
      throw signal.aborted ? signal.reason : new AppError('unreachable', { machine }, { cause })
    })
    const answer = new AnswerBody(stream, { bytesMax, quietMs, letGo: (s) => this.#reset(s) })
    const cancel = () => answer.destroy(signal.reason)
    signal.addEventListener('abort', cancel, { once: true })
    answer.once('close', () => signal.removeEventListener('abort', cancel))
    return { status: Number(headers[':status']), headers, body: answer }
  }

  /** Our end of a question is closed already, so that only a reset tells the agent to stop; they are paced. */
  #reset(stream: ClientHttp2Stream): void {
    if (stream.closed || stream.destroyed) return
    stream.pause()
    const now = performance.now()
    const at = Math.max(now, this.#nextResetAt)
    this.#nextResetAt = at + RESET_GAP_MS
    if (at === now) stream.close(constants.NGHTTP2_CANCEL)
    else setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), at - now).unref()
  }

  #opened(stream: ClientHttp2Stream, signal: AbortSignal): Promise<IncomingHttpHeaders> {
    setMaxListeners(0, signal) // one signal may end any number of streams
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => settle(() => reject(new Error('the door did not open in time'))), this.#timing.connectMs)
      const giveUp = () => settle(() => reject(signal.reason))
      const settle = (end: () => void) => {
        clearTimeout(late)
        signal.removeEventListener('abort', giveUp)
        end()
      }
      signal.addEventListener('abort', giveUp, { once: true })
      stream.once('error', (error) => settle(() => reject(error)))
      stream.once('close', () => settle(() => reject(new Error('the door closed at once'))))
      stream.once('response', (headers) => settle(() => resolve(headers)))
    })
  }

  /** `session.request` throws when the session is gone; that must reach one caller, never the process. */
  #request(headers: http2.OutgoingHttpHeaders, endStream = false): ClientHttp2Stream {
    if (!this.isOpen) throw new Error('the tunnel is closed')
    const stream = this.#session.request(headers, { endStream })
    stream.on('error', () => undefined) // whoever waits for it hears of it by his own listener
    return stream
  }
}

function readAnswer(stream: ClientHttp2Stream, bytesMax: number): Promise<AgentAnswer> {
  return new Promise((resolve, reject) => {
    let status = 0
    let bytes = 0
    const parts: Buffer[] = []
    stream.once('response', (headers) => {
      status = Number(headers[':status'])
    })
    stream.on('data', (part: Buffer) => {
      bytes += part.length
      if (bytes <= bytesMax) parts.push(part)
      // Our own call, a few a minute: this reset is no flood, and an endless answer must not be drained.
      else stream.close(constants.NGHTTP2_CANCEL)
    })
    stream.once('error', reject)
    stream.once('close', () => {
      if (bytes > bytesMax) reject(new Error(`the agent's answer has more than ${bytesMax} bytes`))
      else if (stream.rstCode !== 0) reject(new Error(`the agent's answer was cut with code ${stream.rstCode}`))
      else resolve({ status, text: Buffer.concat(parts).toString('utf8') })
    })
  })
}
