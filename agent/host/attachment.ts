import type { Socket } from 'node:net'
import { LIMITS } from '@/domain/limits'
import type { FromHost, ToHost } from '@/protocol/host'
import { HOST_FRAME } from '@/protocol/host'
import { PROTOCOL } from '@/protocol/version'
import type { Exec, ExecEvents } from './exec'
import type { InputFence } from './fence'
import type { HostFrame } from './frames'
import { DATA_HEADER_BYTES, dataHeader, FrameDecoder, jsonFrame, readJson } from './frames'
import type { Snapshot } from './screen'
import type { SegmentLog } from './segment-log'

/** Bytes of one output frame: with its header it is as long as what a reader's system gives it at a time. */
const CHUNK_BYTES = 64 * 1024 - DATA_HEADER_BYTES
/** One stream is served this much before the others get their turn. */
const TURN_BYTES = 1024 * 1024
const STDIN_GEN_BYTES = 4
/** A command that reads nothing outlives its window by this much. */
const LOOK_MS = 1000

/** What a stream needs of the terminal that it is attached to. */
export type AttachmentHost = {
  readonly log: SegmentLog
  readonly fence: InputFence<Attachment>
  readonly workloadGen: number
  readonly size: { cols: number; rows: number }
  readonly exit: { code: number } | null
  /** The screen to begin with. */
  snapshot(): Promise<Snapshot>
  /** A command beside the program; null when there are too many. */
  exec(command: readonly string[], events: ExecEvents): Exec | null
  type(bytes: Buffer): void
  resize(cols: number, rows: number): void
}

/** One stream on the `terminal` door. */
export type Attachment = {
  /** Sends what the log has beyond this stream's cursor, as fast as the stream takes it. */
  pump(): void
  tell(message: FromHost): void
  close(): void
}

/** Serves a new stream: `attach` comes first, everything else is refused before it. */
export function attach(socket: Socket, host: AttachmentHost): Attachment {
  return new Stream(socket, host)
}

type Handlers = { [T in Exclude<ToHost['type'], 'exec' | 'eof'>]: (message: Extract<ToHost, { type: T }>) => void }

class Stream implements Attachment {
  readonly #socket: Socket
  readonly #host: AttachmentHost
  readonly #decoder = new FrameDecoder()
  /** This stream is a command's, not the terminal's. */
  #exec: Exec | null = null
  #execSeq = 0
  #asked: { cols: number; rows: number } | null = null
  /** Next byte to send; null until the stream may have output. */
  #cursor: number | null = null
  #isBlocked = false
  #isExitTold = false

  constructor(socket: Socket, host: AttachmentHost) {
    this.#socket = socket
    this.#host = host
    socket.on('data', (chunk: Buffer) => this.#received(chunk))
    socket.on('drain', () => {
      this.#isBlocked = false
      this.#exec?.resume()
      this.pump()
    })
    socket.on('close', () => this.#exec?.kill())
    socket.on('error', () => socket.destroy())
  }

  tell(message: FromHost): void {
    if (this.#asked && !this.#socket.destroyed) this.#socket.write(jsonFrame(message))
  }

  close(): void {
    this.#socket.end()
  }

  pump(): void {
    this.#host.log.flush() // recorded before anybody sees it
    let budget = TURN_BYTES
    this.#socket.cork()
    while (this.#cursor !== null && this.#cursor < this.#host.log.end && !this.#isBlocked && !this.#socket.destroyed) {
      if (budget <= 0) {
        setImmediate(() => this.pump())
        break
      }
      budget -= this.#sendNext(this.#cursor)
    }
    this.#tellExit()
    this.#socket.uncork()
  }

  #sendNext(cursor: number): number {
    const from = this.#host.log.available(cursor)
    if (from > cursor) this.tell({ type: 'gap', from: cursor, to: from })
    const pieces = this.#host.log.pieces(from, CHUNK_BYTES)
    const bytes = sizeOf(pieces)
    this.#cursor = from + bytes
    if (bytes === 0) return TURN_BYTES
    this.#isBlocked = !this.#sendData(HOST_FRAME.output, from, pieces)
    return bytes
  }

  #sendData(type: 1 | 2, seq: number, pieces: readonly Buffer[]): boolean {
    this.#socket.cork()
    let isRoom = this.#socket.write(dataHeader(type, seq, sizeOf(pieces)))
    for (const piece of pieces) isRoom = this.#socket.write(piece)
    this.#socket.uncork()
    return isRoom
  }

  #tellExit(): void {
    if (!this.#host.exit || this.#isExitTold || this.#cursor === null || this.#cursor < this.#host.log.end) return
    this.#isExitTold = true
    this.tell({ type: 'exit', code: this.#host.exit.code })
  }

  #received(chunk: Buffer): void {
    for (const frame of this.#decoder.push(chunk)) {
      if (this.#socket.destroyed || this.#socket.writableEnded) return
      if (frame.type === HOST_FRAME.json) this.#json(frame)
      else if (frame.type === HOST_FRAME.stdin) this.#stdin(frame)
      else this.#refuse('malformed')
    }
    if (this.#decoder.tooLarge) this.#refuse('too_large')
  }

  #json(frame: HostFrame): void {
    const message = readJson(frame.payload)
    if (!message) this.#refuse('malformed')
    else if (message.type === 'exec') this.#startExec(message)
    else if (this.#exec) this.#exec.endInput()
    else if (message.type !== 'attach' && !this.#asked) this.#refuse('not_attached')
    else this.#handle(message)
  }

  #startExec(message: Extract<ToHost, { type: 'exec' }>): void {
    if (this.#asked || this.#exec || message.protocol !== PROTOCOL.host) {
      this.#refuse('protocol')
      return
    }
    this.#exec = this.#host.exec(message.command, {
      output: (bytes) => {
        if (!this.#sendData(HOST_FRAME.output, this.#execSeq, [bytes])) this.#exec?.pause()
        this.#execSeq += bytes.byteLength
      },
      exit: (code, fault) => this.#socket.end(jsonFrame({ type: 'exit', code, ...(fault && { fault }) })),
    })
    const { workloadGen, size } = this.#host
    if (!this.#exec) this.#refuse('busy')
    else this.#socket.write(jsonFrame({ type: 'attached', workloadGen, controllerGen: 0, endSeq: 0, ...size }))
  }

  #handle(message: ToHost): void {
    if (message.type === 'exec' || message.type === 'eof') {
      this.#refuse('malformed')
      return
    }
    // The table is typed by the union, so the handler fits its message.
    const handler = this.#handlers[message.type] as (m: ToHost) => void
    handler(message)
  }

  readonly #handlers: Handlers = {
    attach: (message) => {
      if (this.#asked || message.protocol > PROTOCOL.host || message.protocol < PROTOCOL.host - 1) return this.#refuse('protocol')
      this.#asked = { cols: message.cols, rows: message.rows }
      const { workloadGen, fence, log, size } = this.#host
      this.tell({ type: 'attached', workloadGen, controllerGen: fence.current, endSeq: log.end, ...size })
      if (message.since !== undefined && message.since <= log.end) this.#follow(message.since)
      else void this.#draw()
    },
    bind: ({ controllerGen }) => {
      const { isBound, displaced } = this.#host.fence.bind(this, controllerGen)
      if (!isBound) return this.#stale()
      this.tell({ type: 'bound', controllerGen })
      displaced?.tell({ type: 'stale', controllerGen })
      if (this.#asked) this.#host.resize(this.#asked.cols, this.#asked.rows)
    },
    unbind: ({ controllerGen }) => {
      if (!this.#host.fence.unbind(controllerGen)) this.#stale()
    },
    resize: ({ controllerGen, cols, rows }) => {
      this.#asked = { cols, rows }
      if (this.#host.fence.mayType(this, controllerGen)) this.#host.resize(cols, rows)
    },
    // A reader's speed shows in its socket; what it has drawn is the gateway's business.
    ack: () => undefined,
  }

  /** The screen first, then the log from there on. */
  async #draw(): Promise<void> {
    const snapshot = await this.#host.snapshot()
    if (this.#socket.destroyed) return
    this.tell({ type: 'snapshot', seq: snapshot.seq, cols: snapshot.cols, rows: snapshot.rows })
    this.#isBlocked = !this.#sendData(HOST_FRAME.snapshot, snapshot.seq, [snapshot.data])
    this.#follow(snapshot.seq)
  }

  #follow(seq: number): void {
    this.#cursor = seq
    this.pump()
  }

  #stdin(frame: HostFrame): void {
    const { payload } = frame
    if (payload.byteLength > LIMITS.stdinFrameBytes + STDIN_GEN_BYTES) this.#refuse('too_large')
    else if (payload.byteLength < STDIN_GEN_BYTES) this.#refuse('malformed')
    else if (this.#exec) this.#execInput(this.#exec, payload.subarray(STDIN_GEN_BYTES))
    else if (this.#host.fence.mayType(this, payload.readUInt32BE(0))) this.#host.type(payload.subarray(STDIN_GEN_BYTES))
  }

  /** Whoever is not read from is not heard leaving either: telling them something they know already finds it out. */
  #execInput(exec: Exec, bytes: Buffer): void {
    if (exec.write(bytes) || this.#socket.isPaused()) return
    this.#socket.pause()
    const { size } = this.#host
    const look = setInterval(() => this.#socket.write(jsonFrame({ type: 'size', ...size })), LOOK_MS)
    const stop = () => clearInterval(look)
    this.#socket.once('close', stop)
    exec.onDrain(() => {
      stop()
      this.#socket.off('close', stop).resume()
    })
  }

  #stale(): void {
    this.tell({ type: 'stale', controllerGen: this.#host.fence.current })
  }

  #refuse(why: Extract<FromHost, { type: 'refused' }>['why']): void {
    this.#socket.end(jsonFrame({ type: 'refused', why }))
  }
}

const sizeOf = (pieces: readonly Buffer[]) => pieces.reduce((sum, piece) => sum + piece.byteLength, 0)
