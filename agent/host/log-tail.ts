/** Parts of the ring: small writes share one, so that a million key strokes are not a million objects. */
const PART_BYTES = 65_536

type Part = { start: number; bytes: Buffer; used: number }

/** The last bytes of a log in memory. A read inside one part costs no copy; parts are written once and never moved. */
export class LogTail {
  readonly #bytesMax: number
  readonly #parts: Part[] = []
  #bytes = 0
  #end: number

  constructor(end: number, bytesMax: number) {
    this.#end = end
    this.#bytesMax = bytesMax
  }

  get end(): number {
    return this.#end
  }

  /** The first byte that is here. */
  get start(): number {
    return this.#parts[0]?.start ?? this.#end
  }

  /** Takes a copy and returns where it lies; without a ring, the bytes themselves. */
  add(bytes: Buffer): Buffer[] {
    if (this.#bytesMax === 0) {
      this.#end += bytes.byteLength
      return [bytes]
    }
    const placed: Buffer[] = []
    for (let done = 0; done < bytes.byteLength; ) {
      const part = this.#open()
      const count = bytes.copy(part.bytes, part.used, done)
      placed.push(part.bytes.subarray(part.used, part.used + count))
      part.used += count
      done += count
      this.#end += count
      this.#bytes += count
    }
    while (this.#parts.length > 1 && this.#bytes - (this.#parts[0]?.used ?? 0) >= this.#bytesMax) {
      this.#bytes -= this.#parts.shift()?.used ?? 0
    }
    return placed
  }

  /** Up to `max` bytes that lie in one part, from `from` on; null when that byte is not here any more. */
  read(from: number, max: number): Buffer | null {
    if (from < this.start) return null
    const part = this.#parts.find(({ start, used }) => from < start + used)
    if (!part) return Buffer.alloc(0)
    return part.bytes.subarray(from - part.start, Math.min(part.used, from - part.start + max))
  }

  #open(): Part {
    const last = this.#parts.at(-1)
    if (last && last.used < last.bytes.byteLength) return last
    const size = Math.min(PART_BYTES, this.#bytesMax)
    const part = { start: this.#end, bytes: Buffer.allocUnsafeSlow(size), used: 0 }
    this.#parts.push(part)
    return part
  }
}
