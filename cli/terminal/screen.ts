import type { ReadStream, WriteStream } from 'node:tty'
import { LIMITS } from '@/domain/limits'

const CLEAR = '\x1b[H\x1b[2J'
/** What a full-screen program may have left on: its screen, mouse, paste marks, key modes, colours, a hidden cursor. */
const RESET = '\x1b[?1049l\x1b[?1000;1002;1003;1006;1004;2004l\x1b[?1l\x1b>\x1b[?25h\x1b[0m'

/** The person's own terminal: raw while attached, as it was before afterwards. Works, without raw mode, on pipes. */
export class Screen {
  readonly #in: ReadStream
  readonly #out: WriteStream
  readonly #ends: (() => void)[] = []

  constructor(input: ReadStream = process.stdin, output: WriteStream = process.stdout) {
    this.#in = input
    this.#out = output
  }

  /** Its size, within what a session takes; 80 × 24 where there is none. */
  get size(): { cols: number; rows: number } {
    const { columns: cols = 80, rows = 24 } = this.#out
    return { cols: bounded(cols, 2, LIMITS.terminalColsMax), rows: bounded(rows, 1, LIMITS.terminalRowsMax) }
  }

  /** Hands over each key as it is typed, and each new size. */
  begin(on: { keys: (bytes: Buffer) => void; end: () => void; size: () => void }): void {
    if (this.#in.isTTY) this.#in.setRawMode(true)
    this.#in.on('data', on.keys)
    this.#in.once('end', on.end)
    this.#out.on('resize', on.size)
    this.#ends.push(() => {
      this.#in.off('data', on.keys)
      this.#in.off('end', on.end)
      this.#out.off('resize', on.size)
    })
  }

  /** Writes bytes of the session as they are; on a cleared screen when they are one. */
  draw(bytes: Uint8Array, isScreen: boolean, drawn: () => void): void {
    if (isScreen && this.#out.isTTY) this.#out.write(RESET + CLEAR)
    this.#out.write(bytes, () => drawn())
  }

  /** Says something on a line of its own, beside the session's output. */
  say(text: string): void {
    process.stderr.write(`\r\n[${text}]\r\n`)
  }

  /** Gives the terminal back. */
  end(): void {
    for (const end of this.#ends.splice(0)) end()
    if (this.#out.isTTY) this.#out.write(RESET)
    if (this.#in.isTTY) this.#in.setRawMode(false)
    this.#in.pause()
  }
}

function bounded(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value))
}
