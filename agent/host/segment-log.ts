import { closeSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'

type Segment = { start: number; end: number }
/** Small writes share one part, so that a million key strokes are not a million objects. */
const TAIL_PART_BYTES = 4096
type Options = { segmentBytes: number; bytesMax: number; tailBytes: number }

/**
 * An append-only log of bytes, addressed by their offset since it began. Segments are files named by their start; the
 * oldest are dropped above the cap. The last bytes are also in memory, so that live readers touch no file. A full disk
 * leaves a hole that readers are told as a gap; it never ends the program that writes. Survives crashes, not power loss.
 */
export class SegmentLog {
  readonly #dir: string
  readonly #options: Options
  readonly #segments: Segment[] = []
  readonly #tail: { start: number; bytes: Buffer }[] = []
  #tailBytes = 0
  #end = 0
  #write: { fd: number; start: number } | null = null
  #read: { fd: number; start: number } | null = null

  constructor(dir: string, options: Options) {
    this.#dir = dir
    this.#options = options
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(dir).sort()) this.#adopt(name)
  }

  get end(): number {
    return this.#end
  }

  append(bytes: Buffer): void {
    if (bytes.byteLength === 0) return
    this.#store(bytes)
    this.#remember(bytes)
    this.#end += bytes.byteLength
  }

  /** The first offset at or after `from` that can still be read. */
  available(from: number): number {
    const tailStart = this.#tail[0]?.start ?? this.#end
    if (from >= tailStart) return Math.min(from, this.#end)
    for (const segment of this.#segments) if (segment.end > from) return Math.max(from, Math.min(segment.start, tailStart))
    return tailStart
  }

  /** Up to `max` bytes from an available offset; empty at the end. */
  read(from: number, max: number): Buffer {
    const inTail = this.#fromTail(from, max)
    if (inTail) return inTail
    const segment = this.#segments.find((s) => s.start <= from && from < s.end)
    if (!segment) return Buffer.alloc(0)
    const bytes = Buffer.allocUnsafe(Math.min(max, segment.end - from))
    const count = readSync(this.#reader(segment.start), bytes, 0, bytes.byteLength, from - segment.start)
    return bytes.subarray(0, count)
  }

  close(): void {
    if (this.#write) closeSync(this.#write.fd)
    if (this.#read) closeSync(this.#read.fd)
    this.#write = null
    this.#read = null
  }

  #adopt(name: string): void {
    const match = /^(\d{16})\.seg$/.exec(name)
    if (!match?.[1]) return
    const start = Number(match[1])
    const end = start + statSync(join(this.#dir, name)).size
    this.#segments.push({ start, end })
    this.#end = end
  }

  #store(bytes: Buffer): void {
    try {
      const segment = this.#writable()
      const fd = this.#write?.fd
      if (fd === undefined) return
      let done = 0
      while (done < bytes.byteLength) {
        const count = writeSync(fd, bytes, done)
        done += count
        segment.end += count
      }
    } catch {
      // The disk is full or away: this part of the record is lost and read as a gap. The session goes on.
      if (this.#write) closeSync(this.#write.fd)
      this.#write = null
    }
  }

  /** The segment that takes the next bytes; a new one when the last is full or does not end where the log ends. */
  #writable(): Segment {
    const last = this.#segments.at(-1)
    if (last && this.#write && last.end === this.#end && last.end - last.start < this.#options.segmentBytes) return last
    if (this.#write) closeSync(this.#write.fd)
    this.#write = null
    this.#dropOldest()
    const segment = { start: this.#end, end: this.#end }
    this.#write = { fd: openSync(this.#path(segment.start), 'a', 0o600), start: segment.start }
    this.#segments.push(segment)
    return segment
  }

  #dropOldest(): void {
    let total = this.#segments.reduce((sum, s) => sum + s.end - s.start, 0)
    while (total + this.#options.segmentBytes > this.#options.bytesMax) {
      const oldest = this.#segments.shift()
      if (!oldest) return
      total -= oldest.end - oldest.start
      if (this.#read?.start === oldest.start) this.#forgetReader()
      rmSync(this.#path(oldest.start), { force: true })
    }
  }

  #remember(bytes: Buffer): void {
    const last = this.#tail.at(-1)
    const partMax = Math.min(TAIL_PART_BYTES, this.#options.tailBytes / 4)
    if (last && last.bytes.byteLength + bytes.byteLength <= partMax) last.bytes = Buffer.concat([last.bytes, bytes])
    else this.#tail.push({ start: this.#end, bytes })
    this.#tailBytes += bytes.byteLength
    while (this.#tailBytes > this.#options.tailBytes && this.#tail.length > 1) {
      this.#tailBytes -= this.#tail.shift()?.bytes.byteLength ?? 0
    }
  }

  #fromTail(from: number, max: number): Buffer | null {
    const first = this.#tail[0]
    if (!first || from < first.start) return null
    const parts: Buffer[] = []
    let size = 0
    for (const part of this.#tail) {
      const skip = Math.max(0, from - part.start)
      if (skip >= part.bytes.byteLength) continue
      const piece = part.bytes.subarray(skip, skip + max - size)
      parts.push(piece)
      size += piece.byteLength
      if (size >= max) break
    }
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, size)
  }

  #reader(start: number): number {
    if (this.#read?.start === start) return this.#read.fd
    this.#forgetReader()
    this.#read = { fd: openSync(this.#path(start), 'r'), start }
    return this.#read.fd
  }

  #forgetReader(): void {
    if (this.#read) closeSync(this.#read.fd)
    this.#read = null
  }

  #path(start: number): string {
    return join(this.#dir, `${String(start).padStart(16, '0')}.seg`)
  }
}
