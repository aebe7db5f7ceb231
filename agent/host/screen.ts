import * as serializePackage from '@xterm/addon-serialize'
import * as headlessPackage from '@xterm/headless'
import { HOST_FRAME_BYTES_MAX } from '@/protocol/host'

// Both packages are CommonJS: Node gives their exports as `default`, a bundler gives them by name.
const { Terminal } = named(headlessPackage)
const { SerializeAddon } = named(serializePackage)

const SCROLLBACK_LINES = 2000
/** Lines above the screen that a snapshot carries; fewer when they would not fit a frame. */
const SNAPSHOT_LINES = [1000, 100, 0]
const SNAPSHOT_BYTES_MAX = HOST_FRAME_BYTES_MAX - 64
/** A program that stops in the middle of an escape sequence must not keep a viewer waiting. */
const GROUND_WAIT_MS = 250

/** Private parts of the emulator (the versions are pinned, the tests fail when they move). */
type Internals = {
  _core: {
    _inputHandler: { _parser: { currentState: number }; _utf8Decoder: { interim: Uint8Array } }
    coreService: { isCursorHidden: boolean }
    coreMouseService: { activeEncoding: string }
    buffer: { scrollTop: number; scrollBottom: number }
  }
}
/** A screen that can be drawn anew, and the offset from which the log goes on. */
export type Snapshot = { seq: number; cols: number; rows: number; data: Buffer }
type Waiting = { resolve: (snapshot: Snapshot) => void; timer: NodeJS.Timeout }

/**
 * The screen of a terminal as an emulator sees it. Snapshots are taken only where the parser stands between two
 * sequences: elsewhere the rest of the log would be read wrongly. Answers to terminal queries are thrown away.
 */
export class Screen {
  readonly #terminal: InstanceType<typeof Terminal>
  readonly #serializer = new SerializeAddon()
  readonly #waiting = new Set<Waiting>()
  readonly #recent: (from: number, max: number) => Buffer
  #parsed: number

  /** `recent` reads the log: a snapshot that cannot wait starts at the sequence that was cut. */
  constructor(
    size: { cols: number; rows: number },
    options: { startSeq: number; recent: (from: number, max: number) => Buffer },
  ) {
    this.#terminal = new Terminal({ ...size, scrollback: SCROLLBACK_LINES, allowProposedApi: true })
    this.#terminal.loadAddon(this.#serializer)
    this.#parsed = options.startSeq
    this.#recent = options.recent
  }

  /** Draws bytes that end at `end` in the log; calls back when they are parsed. */
  write(bytes: Buffer, end: number, parsed: () => void): void {
    this.#terminal.write(bytes, () => {
      this.#parsed = end
      this.#settle()
      parsed()
    })
  }

  /** Text only scrolls now: no sequence is under way and no part of the screen stands still. */
  get isPlain(): boolean {
    const { scrollTop, scrollBottom } = this.#internals().buffer
    return this.#isGround() && scrollTop === 0 && scrollBottom === this.#terminal.rows - 1
  }

  /** Everything older than so many lines is forgotten. */
  get linesKept(): number {
    return SCROLLBACK_LINES + this.#terminal.rows
  }

  /** The bytes up to this one would have left no trace. */
  skipTo(seq: number): void {
    this.#parsed = seq
  }

  resize(cols: number, rows: number): void {
    this.#terminal.resize(cols, rows)
  }

  /** The screen now, or after the sequence under way. */
  snapshot(): Promise<Snapshot> {
    if (this.#isGround()) return Promise.resolve(this.#take(this.#parsed))
    return new Promise((resolve) => {
      const waiting: Waiting = { resolve, timer: setTimeout(() => this.#giveUp(waiting), GROUND_WAIT_MS) }
      this.#waiting.add(waiting)
    })
  }

  dispose(): void {
    for (const waiting of this.#waiting) clearTimeout(waiting.timer)
    this.#waiting.clear()
    this.#terminal.dispose()
  }

  #settle(): void {
    if (this.#waiting.size === 0 || !this.#isGround()) return
    const snapshot = this.#take(this.#parsed)
    for (const waiting of this.#waiting) {
      clearTimeout(waiting.timer)
      waiting.resolve(snapshot)
    }
    this.#waiting.clear()
  }

  /** The cut sequence changed nothing on the screen yet: the log is read again from where it begins. */
  #giveUp(waiting: Waiting): void {
    this.#waiting.delete(waiting)
    const from = Math.max(0, this.#parsed - 4096)
    const bytes = this.#recent(from, this.#parsed - from)
    const isEscape = this.#internals()._inputHandler._parser.currentState !== 0
    const cut = bytes.findLastIndex((byte) => (isEscape ? byte === 0x1b : byte >= 0xc0))
    waiting.resolve(this.#take(cut < 0 ? this.#parsed : from + cut))
  }

  #isGround(): boolean {
    const handler = this.#internals()._inputHandler
    return handler._parser.currentState === 0 && handler._utf8Decoder.interim[0] === 0
  }

  #take(seq: number): Snapshot {
    const { coreService, coreMouseService } = this.#internals()
    const modes = [
      // What the serializer leaves out.
      coreService.isCursorHidden ? '\x1b[?25l' : '',
      coreMouseService.activeEncoding === 'SGR' ? '\x1b[?1006h' : '',
    ]
    const data = Buffer.concat([this.#drawn(), Buffer.from(modes.join(''))])
    return { seq, cols: this.#terminal.cols, rows: this.#terminal.rows, data }
  }

  #drawn(): Buffer {
    let data: Buffer = Buffer.alloc(0)
    for (const scrollback of SNAPSHOT_LINES) {
      data = Buffer.from(this.#serializer.serialize({ scrollback }))
      if (data.byteLength <= SNAPSHOT_BYTES_MAX) return data
    }
    return data.subarray(0, SNAPSHOT_BYTES_MAX)
  }

  #internals(): Internals['_core'] {
    return (this.#terminal as unknown as Internals)._core
  }
}

function named<M extends object>(loaded: M): M {
  return 'default' in loaded ? (loaded.default as M) : loaded
}
