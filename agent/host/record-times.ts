import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** From this byte on, what was printed came at this time, on a terminal of this size. */
export type RecordTime = { byte: number; at: number; cols: number; rows: number }

/** `u48 byte, u48 milliseconds since 1970, u16 cols, u16 rows`, big-endian. */
const ENTRY_BYTES = 16
/** Entries lie at least this far apart: a frame of a screen. */
const GAP_MS = 16
/** A segment whose index is full is closed, so that a program that prints a byte at a time cannot fill the disk with times. */
const ENTRIES_MAX = 65_536

/** The largest index of one segment. */
export const TIMES_BYTES_MAX = ENTRIES_MAX * ENTRY_BYTES

/** Name of the index that lies beside the segment that starts at this byte. */
export function timesName(start: number): string {
  return `${String(start).padStart(16, '0')}.times`
}

/** Entries of an index as it lies on disk; a half-written last one is left out. */
export function readTimes(bytes: Buffer): RecordTime[] {
  const count = Math.floor(bytes.byteLength / ENTRY_BYTES)
  return Array.from({ length: count }, (_, index) => {
    const from = index * ENTRY_BYTES
    const [byte, at] = [bytes.readUIntBE(from, 6), bytes.readUIntBE(from + 6, 6)]
    return { byte, at, cols: bytes.readUInt16BE(from + 12), rows: bytes.readUInt16BE(from + 14) }
  })
}

/**
 * Writes down when a record was printed, in one index per segment. A disk that refuses an entry costs times, never
 * bytes of the record.
 */
export class RecordTimes {
  readonly #now: () => number
  #size: { cols: number; rows: number }
  #file: { fd: number; entries: number } | null = null
  #lastAt = 0
  #isForced = true

  constructor(size: { cols: number; rows: number }, now: () => number = Date.now) {
    this.#size = size
    this.#now = now
  }

  get isFull(): boolean {
    return this.#file !== null && this.#file.entries >= ENTRIES_MAX
  }

  /** The next byte is printed at another size. */
  resized(size: { cols: number; rows: number }): void {
    this.#size = size
    this.#isForced = true
  }

  /** Begins the index of a new segment. */
  begin(dir: string, start: number): void {
    this.close()
    this.#isForced = true
    try {
      this.#file = { fd: openSync(join(dir, timesName(start)), 'a', 0o600), entries: 0 }
    } catch {
      this.#file = null // no room: this segment has no times, which a reader is told by their absence
    }
  }

  /** What comes from this byte on is printed now. Returns the bytes that this took on disk. */
  mark(byte: number): number {
    const at = this.#now()
    if (!this.#file || this.isFull || (!this.#isForced && at - this.#lastAt < GAP_MS)) return 0
    const entry = Buffer.allocUnsafe(ENTRY_BYTES)
    entry.writeUIntBE(byte, 0, 6)
    entry.writeUIntBE(at, 6, 6)
    entry.writeUInt16BE(this.#size.cols, 12)
    entry.writeUInt16BE(this.#size.rows, 14)
    if (!this.#write(entry)) return 0
    this.#lastAt = at
    this.#isForced = false
    return ENTRY_BYTES
  }

  drop(dir: string, start: number): void {
    rmSync(join(dir, timesName(start)), { force: true })
  }

  close(): void {
    if (this.#file) closeSync(this.#file.fd)
    this.#file = null
  }

  #write(entry: Buffer): boolean {
    if (!this.#file) return false
    try {
      if (writeSync(this.#file.fd, entry) !== ENTRY_BYTES) throw new Error('an entry was cut')
      this.#file.entries += 1
      return true
    } catch {
      this.close() // after a cut entry nothing in this index could be read
      return false
    }
  }
}
