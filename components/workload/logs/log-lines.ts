import { plainLine } from './plain-line'

/** `seq`: the byte at which it begins. `mark`: said by Berth, not printed. */
export type LogLine = { id: number; seq: number; text: string; isMark?: true }

export type LogBounds = { linesMax: number; charsMax: number; lineBytesMax: number }
/** What one window keeps in memory; the download has everything. */
const LOG_BOUNDS: LogBounds = { linesMax: 20_000, charsMax: 4 * 2 ** 20, lineBytesMax: 8192 }

const NEWLINE = 10

/** Bytes to lines, within bounds: the oldest lines go when there are too many. A line that has not ended is shown as far as it is. */
export class LogLines {
  /** How many lines have left at the top. */
  dropped = 0
  #lines: LogLine[] = []
  #open: Uint8Array = new Uint8Array(0)
  #openSeq = 0
  #chars = 0
  #nextId = 0
  readonly #bounds: LogBounds
  readonly #decoder = new TextDecoder()

  constructor(bounds: LogBounds = LOG_BOUNDS) {
    this.#bounds = bounds
  }

  /** All lines, oldest first; a new array each time. */
  get lines(): readonly LogLine[] {
    const { length } = this.#open
    return length === 0 ? [...this.#lines] : [...this.#lines, this.#lineOf(this.#open, this.#openSeq, this.#nextId)]
  }

  /** The byte that is expected next. */
  get endSeq(): number {
    return this.#openSeq + this.#open.length
  }

  /** Goes on at another byte: what lies between was not received. */
  jumpTo(seq: number): void {
    this.#endOpenLine()
    this.#openSeq = seq
  }

  push(chunk: Uint8Array): void {
    const bytes = joined(this.#open, chunk)
    let start = 0
    for (let end = this.#lineEnd(bytes, start); end !== -1; end = this.#lineEnd(bytes, start)) {
      this.#add(this.#lineOf(bytes.subarray(start, end), this.#openSeq + start, this.#nextId))
      start = bytes[end] === NEWLINE ? end + 1 : end
    }
    this.#open = bytes.slice(start)
    this.#openSeq += start
    this.#drop()
  }

  /** A line of Berth's own between the printed ones. */
  mark(text: string): void {
    this.#endOpenLine()
    this.#add({ id: this.#nextId, seq: this.#openSeq, text, isMark: true })
    this.#drop()
  }

  /** The end of the line that begins at `start`; -1 while it has none. A line that is too long ends where it is too long. */
  #lineEnd(bytes: Uint8Array, start: number): number {
    const end = bytes.indexOf(NEWLINE, start)
    const longest = start + this.#bounds.lineBytesMax
    if (end !== -1 && end <= longest) return end
    return bytes.length > longest ? longest : -1
  }

  #lineOf(bytes: Uint8Array, seq: number, id: number): LogLine {
    return { id, seq, text: plainLine(this.#decoder.decode(bytes)) }
  }

  #endOpenLine(): void {
    if (this.#open.length === 0) return
    this.#add(this.#lineOf(this.#open, this.#openSeq, this.#nextId))
    this.#openSeq += this.#open.length
    this.#open = new Uint8Array(0)
  }

  #add(line: LogLine): void {
    this.#lines.push(line)
    this.#chars += line.text.length
    this.#nextId = line.id + 1
  }

  #drop(): void {
    const { linesMax, charsMax } = this.#bounds
    let gone = Math.max(0, this.#lines.length - linesMax)
    for (let i = 0; i < gone; i++) this.#chars -= this.#lines[i]?.text.length ?? 0
    while (this.#chars > charsMax && gone < this.#lines.length) this.#chars -= this.#lines[gone++]?.text.length ?? 0
    if (gone === 0) return
    this.#lines.splice(0, gone)
    this.dropped += gone
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
