const NEWLINE = 0x0a
const ESCAPE = 0x1b
const SPACE = 0x20
const DELETE = 0x7f
const BACKSPACE = 0x08
const TAB = 0x09
/** A longer line is cut; the next piece repeats its end, so that words on the cut are found. */
const LINE_BYTES = 4096
const OVERLAP_BYTES = 800

/** Sequences that move the cursor: what follows stands elsewhere on the screen. `C` moves right, as a space does. */
const MOVES = new Set([...'ABDEFGHdf`'].map((letter) => letter.charCodeAt(0)))
const RIGHT = 'C'.charCodeAt(0)

/** `end` is the byte after the line; it comes with the byte that ended it. */
type OnLine = (line: { start: number; end: number; bytes: Buffer }) => void

type Step = (byte: number, at: number) => void

/**
 * Takes the escape sequences out of what a terminal printed and gives what can be read, line by line. A full-screen
 * program prints no lines: each place on the screen that it writes to is one.
 */
export class PrintedLines {
  readonly #onLine: OnLine
  readonly #line = Buffer.alloc(LINE_BYTES)
  #used = 0
  #start: number
  #step: Step

  constructor(start: number, onLine: OnLine) {
    this.#start = start
    this.#onLine = onLine
    this.#step = this.#ground
  }

  /** Reads on. `from` is the place of the first of these bytes. */
  write(bytes: Buffer, from: number): void {
    for (let index = 0; index < bytes.byteLength; index++) this.#step(bytes[index] ?? 0, from + index)
  }

  /** The line under way, when nothing follows. */
  end(at: number): void {
    this.#break(at)
  }

  readonly #ground: Step = (byte, at) => {
    if (byte >= SPACE && byte !== DELETE) this.#put(byte, at)
    else if (byte === ESCAPE) this.#step = this.#escape
    else if (byte === TAB) this.#put(SPACE, at)
    else if (byte === BACKSPACE) this.#used = Math.max(0, this.#used - 1)
    else if (byte === NEWLINE || byte === 0x0d || byte === 0x0b || byte === 0x0c) this.#break(at + 1)
  }

  readonly #escape: Step = (byte) => {
    if (byte === 0x5b) this.#step = this.#control
    else if (byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f) this.#step = this.#string
    else if (byte < 0x20 || byte > 0x2f) this.#step = this.#ground // one letter; 0x20–0x2f name a character set first
  }

  readonly #control: Step = (byte, at) => {
    if (byte === ESCAPE) this.#step = this.#escape
    if (byte < 0x40 || byte > 0x7e) return
    this.#step = this.#ground
    if (byte === RIGHT) this.#put(SPACE, at)
    else if (MOVES.has(byte)) this.#break(at + 1)
  }

  /** Titles, links, colours, images: up to BEL or ESC \. */
  readonly #string: Step = (byte) => {
    if (byte === 0x07 || byte === 0x18 || byte === 0x1a) this.#step = this.#ground
    else if (byte === ESCAPE) this.#step = this.#escape
  }

  #put(byte: number, at: number): void {
    if (this.#used === LINE_BYTES) this.#cut(at)
    this.#line[this.#used++] = byte
  }

  #cut(at: number): void {
    this.#onLine({ start: this.#start, end: at, bytes: this.#line.subarray(0, this.#used) })
    this.#line.copyWithin(0, LINE_BYTES - OVERLAP_BYTES)
    this.#used = OVERLAP_BYTES
    this.#start = Math.max(this.#start, at - OVERLAP_BYTES)
  }

  #break(at: number): void {
    if (this.#used > 0) this.#onLine({ start: this.#start, end: at, bytes: this.#line.subarray(0, this.#used) })
    this.#used = 0
    this.#start = at
  }
}
