import type { Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import type { Attachment, AttachmentHost } from './attachment'
import { attach } from './attachment'
import type { Child } from './child'
import type { Exec, ExecEvents, Execs } from './exec'
import { InputFence } from './fence'
import { withoutTrace } from './plain-output'
import type { RecordTimes } from './record-times'
import { listenOn } from './relay'
import { Screen, type Snapshot } from './screen'
import type { SegmentLog } from './segment-log'

/** Bytes that the emulator has at a time; few and seldom while output streams, because parsing keeps everybody waiting. */
const FEED_BYTES = 8 * 1024
const FEED_BUSY_BYTES = 4 * 1024
const FEED_BUSY_PAUSE_MS = 10
/** Output within this time means that more is coming: drawing can wait, because whoever wants the screen makes it hurry. */
const BUSY_MS = 50
/** From this backlog on it is looked at for text that has scrolled away already: such text is not drawn. */
const SKIP_BYTES = 64 * 1024
/** The same while output streams and nobody waits for a screen. */
const SKIP_BUSY_BYTES = 1024 * 1024
const SKIP_WINDOW_BYTES = 4 * 1024 * 1024
/** While output streams, it is sent at most so often, unless this much waits: fewer and fuller frames cost everybody less. */
const SEND_PAUSE_MS = 4
const SEND_BYTES = 256 * 1024
/** The same while it comes faster than anybody can read: when this much was sent the last time. */
const FLOOD_PAUSE_MS = 12
const FLOOD_BYTES = 8 * 1024
/** For so long after a key nothing that it brings about waits: its echo, a prompt, the end of a flood. */
const TYPED_MS = 20
/** What a stream takes before its reader has to be waited for. */
const STREAM_BYTES = 256 * 1024
/** The emulator may fall behind by this much before the program waits for it: a burst runs at full speed, a flood does not. */
const LAG_HIGH_BYTES = 32 * 1024 * 1024
const LAG_LOW_BYTES = LAG_HIGH_BYTES - 256 * 1024
/** A newcomer waits this long for a screen that is up to date; then it gets the one there is, and what follows. */
const CATCH_UP_MS = 1000

type Options = { log: SegmentLog; times?: RecordTimes; execs?: Execs; workloadGen: number; cols: number; rows: number }

/** The `terminal` door: one log, one screen, any number of streams that each read at their own speed. */
export class TerminalServer implements AttachmentHost {
  readonly log: SegmentLog
  readonly workloadGen: number
  readonly fence = new InputFence<Attachment>()
  readonly #screen: Screen
  readonly #times: RecordTimes | null
  readonly #execs: Execs | null
  size: { cols: number; rows: number }
  exit: { code: number } | null = null
  readonly #attachments = new Set<Attachment>()
  readonly #server: Server
  #child: Child | null = null
  readonly #caughtUp = new Set<() => void>()
  #fed: number
  #lookedTo = 0
  #isFeeding = false
  #outputAt = 0
  #isBusy = false
  #isClosed = false
  #isPumpDue = false
  #typedAt = Number.NEGATIVE_INFINITY
  #pumpTimer: NodeJS.Timeout | undefined
  #sentAt = 0
  #sentEnd = 0
  #sentBytes = 0
  #isPaused = false

  constructor(options: Options) {
    this.log = options.log
    this.#times = options.times ?? null
    this.#execs = options.execs ?? null
    this.workloadGen = options.workloadGen
    this.size = { cols: options.cols, rows: options.rows }
    this.#fed = options.log.end
    this.#sentEnd = options.log.end
    this.#screen = new Screen(this.size, {
      startSeq: options.log.end,
      recent: (from, max) => options.log.read(options.log.available(from), max),
    })
    this.#server = createServer({ highWaterMark: STREAM_BYTES }, (socket) => this.#accept(socket))
  }

  async listen(socketPath: string): Promise<void> {
    await listenOn(this.#server, { path: socketPath })
  }

  /** From now on input reaches this program. */
  use(child: Child): void {
    this.#child = child
  }

  /** Bytes that the program wrote: recorded first, sent once per turn of the event loop, drawn as there is time. */
  output(bytes: Buffer): void {
    this.#isBusy = performance.now() - this.#outputAt < BUSY_MS
    this.#outputAt = performance.now()
    this.log.append(bytes)
    this.#feed()
    if (this.log.end - this.#fed > LAG_HIGH_BYTES && !this.#isPaused) {
      this.#isPaused = true
      this.#child?.pause()
    }
    this.#pumpSoon()
  }

  /** The screen as it is now, or as near to it as the emulator gets in a second. */
  async snapshot(): Promise<Snapshot> {
    if (this.#fed < this.log.end || this.#isFeeding) await this.#catchUp()
    return this.#screen.snapshot()
  }

  exited(code: number): void {
    this.log.flush()
    this.exit = { code }
    this.#child = null
    this.#pumpSoon()
  }

  close(): void {
    this.#isClosed = true
    this.#server.close()
    clearTimeout(this.#pumpTimer)
    this.#execs?.close()
    for (const attachment of this.#attachments) attachment.close()
    this.log.close()
    this.#screen.dispose()
  }

  exec(command: readonly string[], events: ExecEvents): Exec | null {
    return this.#execs?.start(command, events) ?? null
  }

  type(bytes: Buffer): void {
    this.#typedAt = performance.now()
    this.#child?.write(bytes)
  }

  resize(cols: number, rows: number): void {
    if (cols === this.size.cols && rows === this.size.rows) return
    this.size = { cols, rows }
    this.#times?.resized(this.size)
    this.#child?.resize(cols, rows)
    this.#screen.resize(cols, rows)
    for (const attachment of this.#attachments) attachment.tell({ type: 'size', cols, rows })
  }

  #accept(socket: Socket): void {
    const attachment = attach(socket, this)
    this.#attachments.add(attachment)
    socket.on('close', () => {
      this.#attachments.delete(attachment)
      this.fence.leave(attachment)
    })
  }

  /** One piece at a time, read from the log, so that a backlog costs no memory. */
  #feed(): void {
    if (this.#isClosed || this.#isFeeding || this.#fed >= this.log.end) return
    if (this.#isInBackground() && this.log.end - this.#fed <= SKIP_BUSY_BYTES) {
      this.#isFeeding = true
      setTimeout(() => this.#feedOn(), FEED_BUSY_PAUSE_MS)
      return
    }
    this.#skip()
    const from = this.log.available(this.#fed)
    const bytes = this.log.read(from, this.#isInBackground() ? FEED_BUSY_BYTES : FEED_BYTES)
    this.#fed = from + bytes.byteLength
    this.#isFeeding = true
    this.#screen.write(bytes, this.#fed, () => {
      this.#relieve()
      if (this.#isInBackground()) setTimeout(() => this.#feedOn(), FEED_BUSY_PAUSE_MS)
      else this.#feedOn()
    })
  }

  /** While output streams and nobody waits for a screen, it is drawn once there is enough of it to pass over most. */
  #isInBackground(): boolean {
    return this.#caughtUp.size === 0 && this.#streams()
  }

  /** Passes over what would be drawn and scrolled away before anybody could see it. */
  #skip(): void {
    const worthIt = this.#isInBackground() ? SKIP_BUSY_BYTES : SKIP_BYTES
    while (this.log.end - this.#fed > worthIt && this.#fed >= this.#lookedTo && this.#screen.isPlain) {
      const from = this.log.available(this.#fed)
      const window = from === this.#fed ? Buffer.concat(this.log.pieces(from, SKIP_WINDOW_BYTES)) : Buffer.alloc(0)
      const skipped = withoutTrace(window, this.#screen.linesKept)
      this.#lookedTo = skipped === 0 ? this.#fed + SKIP_BYTES : 0 // a copy for each piece that is drawn would cost more than it saves
      if (skipped === 0) return
      this.#fed = from + skipped
      this.#screen.skipTo(this.#fed)
    }
  }

  #feedOn(): void {
    this.#isFeeding = false
    if (this.#fed >= this.log.end) for (const done of [...this.#caughtUp]) done()
    this.#feed()
  }

  #streams(): boolean {
    return this.#isBusy && !this.#isPaused && performance.now() - this.#outputAt < BUSY_MS
  }

  #relieve(): void {
    if (!this.#isPaused || this.log.end - this.#fed > LAG_LOW_BYTES) return
    this.#isPaused = false
    this.#child?.resume()
  }

  #catchUp(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#caughtUp.delete(done)
        resolve()
      }
      const timer = setTimeout(done, CATCH_UP_MS)
      this.#caughtUp.add(done)
    })
  }

  /** At once when nothing was sent just now, and just after a key. */
  #pumpSoon(): void {
    const waits = this.log.end - this.#sentEnd
    const now = performance.now()
    const isUrgent = waits >= SEND_BYTES || now - this.#typedAt < TYPED_MS
    if (this.#isPumpDue && !(this.#pumpTimer && isUrgent)) return
    clearTimeout(this.#pumpTimer)
    this.#pumpTimer = undefined
    this.#isPumpDue = true
    const pauseMs = this.#sentBytes >= FLOOD_BYTES ? FLOOD_PAUSE_MS : SEND_PAUSE_MS
    if (isUrgent || now - this.#sentAt >= pauseMs) setImmediate(() => this.#pump())
    else this.#pumpTimer = setTimeout(() => this.#pump(), pauseMs)
  }

  #pump(): void {
    this.#isPumpDue = false
    this.#pumpTimer = undefined
    this.#sentAt = performance.now()
    this.#sentBytes = this.log.end - this.#sentEnd
    this.#sentEnd = this.log.end
    this.log.flush() // also when nobody watches
    for (const attachment of this.#attachments) attachment.pump()
  }
}
