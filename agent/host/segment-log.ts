import { closeSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync, writevSync } from 'node:fs'
import { join } from 'node:path'
import { LogTail } from './log-tail'
import type { RecordTimes } from './record-times'

type Segment = { start: number; end: number; timesBytes: number }
type Options = {
  segmentBytes: number
  bytesMax: number
  tailBytes: number
  /** Writes down when each byte came; its index counts towards `bytesMax`. */
  times?: RecordTimes
}

/** What may wait until the next flush; never more than the tail keeps, so that every byte can be read all the time. */
const PENDING_BYTES_MAX = 262_144
/** A disk that refused a write is left alone for so long: no file for each byte that it has no room for. */
const REFUSED_MS = 1000

/** Name of the segment that starts at this byte. */
export function segmentName(start: number): string {
  return `${String(start).padStart(16, '0')}.seg`
}

/** In the folder of a log: the byte at which it stopped for want of room, or nothing. */
export const STOPPED_FILE = 'stopped'
/** Its room is taken at the start, so that a full disk can still be told. */
const STOPPED_BYTES = 16

/** The byte at which a segment of this name starts; null when it is none. */
export function segmentStart(name: string): number | null {
  const match = /^(\d{16})\.seg$/.exec(name)
  return match?.[1] ? Number(match[1]) : null
}

/**
 * An append-only log of bytes, addressed by their offset since it began. Segments are files named by their start; the
 * oldest are dropped above the cap. The last bytes are also in memory, so that live readers touch no file. A full disk
 * leaves a hole that readers are told as a gap; it never ends the program that writes. What was flushed survives crashes,
 * not power loss.
 */
export class SegmentLog {
  readonly #dir: string
  readonly #options: Options
  readonly #segments: Segment[] = []
  readonly #tail: LogTail
  #pending: Buffer[] = []
  #pendingBytes = 0
  #write: { fd: number; start: number } | null = null
  #read: { fd: number; start: number } | null = null
  #refusedAt = Number.NEGATIVE_INFINITY
  #stopped: number | null = null

  constructor(dir: string, options: Options) {
    this.#dir = dir
    this.#options = options
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    for (const name of readdirSync(dir).sort()) this.#adopt(name)
    this.#stopped = openNotice(dir)
    this.#tail = new LogTail(this.#segments.at(-1)?.end ?? 0, options.tailBytes)
  }

  get end(): number {
    return this.#tail.end
  }

  /** Takes bytes; they can be read from this moment and are on disk after the next `flush()`. */
  append(bytes: Buffer): void {
    if (bytes.byteLength === 0) return
    this.#pending.push(...this.#tail.add(bytes))
    this.#pendingBytes += bytes.byteLength
    if (this.#pendingBytes >= Math.min(PENDING_BYTES_MAX, this.#options.tailBytes)) this.flush()
  }

  /** Writes what waits, in one call where it fits one segment. */
  flush(): void {
    if (this.#pendingBytes === 0) return
    const [pieces, bytes] = [this.#pending, this.#pendingBytes]
    this.#pending = []
    this.#pendingBytes = 0
    if (performance.now() - this.#refusedAt < REFUSED_MS) return // a hole, told as a gap
    this.#store(pieces, this.end - bytes)
  }

  /** The first offset at or after `from` that can still be read. */
  available(from: number): number {
    const tailStart = this.#tail.start
    if (from >= tailStart) return Math.min(from, this.end)
    for (const segment of this.#segments) if (segment.end > from) return Math.max(from, Math.min(segment.start, tailStart))
    return tailStart
  }

  /** Up to `max` bytes from an available offset; empty at the end. */
  read(from: number, max: number): Buffer {
    const inTail = this.#tail.read(from, max)
    if (inTail) return inTail
    const segment = this.#segments.find((s) => s.start <= from && from < s.end)
    if (!segment) return Buffer.alloc(0)
    const bytes = Buffer.allocUnsafe(Math.min(max, segment.end - from))
    const count = readSync(this.#reader(segment.start), bytes, 0, bytes.byteLength, from - segment.start)
    return bytes.subarray(0, count)
  }

  /** The same as they lie, without a copy: up to `max` bytes in as many pieces as it takes. */
  pieces(from: number, max: number): Buffer[] {
    const pieces: Buffer[] = []
    for (let done = 0; done < max; ) {
      const piece = this.read(from + done, max - done)
      if (piece.byteLength === 0) break
      pieces.push(piece)
      done += piece.byteLength
    }
    return pieces
  }

  close(): void {
    this.flush()
    if (this.#write) closeSync(this.#write.fd)
    if (this.#read) closeSync(this.#read.fd)
    if (this.#stopped !== null) closeSync(this.#stopped)
    this.#write = null
    this.#read = null
    this.#stopped = null
    this.#options.times?.close()
  }

  #adopt(name: string): void {
    const start = segmentStart(name)
    if (start === null) return
    this.#segments.push({ start, end: start + statSync(join(this.#dir, name)).size, timesBytes: 0 })
  }

  #store(pieces: Buffer[], from: number): void {
    try {
      const segment = this.#writable(from)
      const fd = this.#write?.fd
      if (fd === undefined) return
      segment.timesBytes += this.#options.times?.mark(from) ?? 0
      const bytes = pieces.reduce((sum, piece) => sum + piece.byteLength, 0)
      let done = writevSync(fd, pieces)
      segment.end += done
      const rest = done < bytes ? Buffer.concat(pieces) : null
      while (rest && done < bytes) {
        const count = writeSync(fd, rest, done)
        done += count
        segment.end += count
      }
    } catch {
      this.#refused() // The disk is full or away: this part of the record is lost and read as a gap. The session goes on.
    }
  }

  /** Leaves no empty file behind for bytes that were not taken. */
  #refused(): void {
    this.#refusedAt = performance.now()
    if (this.#write) closeSync(this.#write.fd)
    this.#write = null
    const last = this.#segments.at(-1)
    this.#tellStop(last?.end ?? 0)
    if (!last || last.end > last.start) return
    this.#segments.pop()
    this.#remove(last)
  }

  #tellStop(at: number): void {
    try {
      if (this.#stopped !== null) writeSync(this.#stopped, String(at).padStart(STOPPED_BYTES, '0'), 0)
    } catch {
      // The disk is gone altogether: nobody can read the record either.
    }
  }

  /** The segment that takes the next bytes; a new one when the last is full or does not end where they begin. */
  #writable(from: number): Segment {
    const { times, segmentBytes } = this.#options
    const last = this.#segments.at(-1)
    if (last && this.#write && last.end === from && last.end - last.start < segmentBytes && !times?.isFull) return last
    if (this.#write) closeSync(this.#write.fd)
    this.#write = null
    this.#dropOldest()
    const segment = { start: from, end: from, timesBytes: 0 }
    this.#write = { fd: openSync(join(this.#dir, segmentName(from)), 'a', 0o600), start: from }
    this.#segments.push(segment)
    times?.begin(this.#dir, from)
    return segment
  }

  #dropOldest(): void {
    let total = this.#segments.reduce((sum, s) => sum + s.end - s.start + s.timesBytes, 0)
    while (total + this.#options.segmentBytes > this.#options.bytesMax) {
      const oldest = this.#segments.shift()
      if (!oldest) return
      total -= oldest.end - oldest.start + oldest.timesBytes
      this.#remove(oldest)
    }
  }

  #remove({ start }: Segment): void {
    if (this.#read?.start === start) this.#forgetReader()
    rmSync(join(this.#dir, segmentName(start)), { force: true })
    this.#options.times?.drop(this.#dir, start)
  }

  #reader(start: number): number {
    if (this.#read?.start === start) return this.#read.fd
    this.#forgetReader()
    this.#read = { fd: openSync(join(this.#dir, segmentName(start)), 'r'), start }
    return this.#read.fd
  }

  #forgetReader(): void {
    if (this.#read) closeSync(this.#read.fd)
    this.#read = null
  }
}

/** A file with room for one number; null when not even that can be had. */
function openNotice(dir: string): number | null {
  try {
    const fd = openSync(join(dir, STOPPED_FILE), 'w', 0o600)
    writeSync(fd, ' '.repeat(STOPPED_BYTES))
    return fd
  } catch {
    return null // a full disk from the start: the empty record says it
  }
}
