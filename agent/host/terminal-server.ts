import type { Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import type { Attachment, AttachmentHost } from './attachment'
import { attach } from './attachment'
import type { Child } from './child'
import { InputFence } from './fence'
import { listenOn } from './relay'
import { Screen } from './screen'
import type { SegmentLog } from './segment-log'

/** The emulator may fall behind by this much before the program waits for it. */
const BACKLOG_HIGH_BYTES = 512 * 1024
const BACKLOG_LOW_BYTES = 128 * 1024

type Options = { log: SegmentLog; workloadGen: number; cols: number; rows: number }

/** The `terminal` door: one log, one screen, any number of streams that each read at their own speed. */
export class TerminalServer implements AttachmentHost {
  readonly log: SegmentLog
  readonly workloadGen: number
  readonly fence = new InputFence<Attachment>()
  readonly screen: Screen
  size: { cols: number; rows: number }
  exit: { code: number } | null = null
  readonly #attachments = new Set<Attachment>()
  readonly #server: Server
  #child: Child | null = null
  #isPumpDue = false
  #isPaused = false

  constructor(options: Options) {
    this.log = options.log
    this.workloadGen = options.workloadGen
    this.size = { cols: options.cols, rows: options.rows }
    this.screen = new Screen(this.size, {
      startSeq: options.log.end,
      recent: (from, max) => options.log.read(options.log.available(from), max),
    })
    this.#server = createServer((socket) => this.#accept(socket))
  }

  async listen(socketPath: string): Promise<void> {
    await listenOn(this.#server, { path: socketPath })
  }

  /** From now on input reaches this program. */
  use(child: Child): void {
    this.#child = child
  }

  /** Bytes that the program wrote: recorded first, then drawn, then sent once per turn of the event loop. */
  output(bytes: Buffer): void {
    this.log.append(bytes)
    this.screen.write(bytes, () => this.#relieve())
    if (this.screen.backlog > BACKLOG_HIGH_BYTES && !this.#isPaused) {
      this.#isPaused = true
      this.#child?.pause()
    }
    this.#pumpSoon()
  }

  exited(code: number): void {
    this.exit = { code }
    this.#child = null
    this.#pumpSoon()
  }

  close(): void {
    this.#server.close()
    for (const attachment of this.#attachments) attachment.close()
    this.screen.dispose()
  }

  type(bytes: Buffer): void {
    this.#child?.write(bytes)
  }

  resize(cols: number, rows: number): void {
    if (cols === this.size.cols && rows === this.size.rows) return
    this.size = { cols, rows }
    this.#child?.resize(cols, rows)
    this.screen.resize(cols, rows)
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

  #relieve(): void {
    if (!this.#isPaused || this.screen.backlog > BACKLOG_LOW_BYTES) return
    this.#isPaused = false
    this.#child?.resume()
  }

  #pumpSoon(): void {
    if (this.#isPumpDue) return
    this.#isPumpDue = true
    setImmediate(() => {
      this.#isPumpDue = false
      for (const attachment of this.#attachments) attachment.pump()
    })
  }
}
