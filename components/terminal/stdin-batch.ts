/** One frame of typed bytes never exceeds this. */
const FRAME_BYTES = 65_536
const FRAME_MS = 16

/**
 * Sends typed bytes at once when nothing was sent within the last 16 ms, and otherwise as one piece at the end of that
 * time: thousands of scroll events a second become one frame per 16 ms, and a single key is not delayed.
 */
export class StdinBatch {
  readonly #send: (bytes: Uint8Array) => void
  #waiting: Uint8Array[] = []
  #timer: ReturnType<typeof setTimeout> | null = null

  constructor(send: (bytes: Uint8Array) => void) {
    this.#send = send
  }

  add(bytes: Uint8Array): void {
    this.#waiting.push(bytes)
    if (this.#timer !== null) return
    this.#flush()
    this.#timer = setTimeout(() => this.#tick(), FRAME_MS)
  }

  /** Forgets what has not been sent: input is never replayed on another connection. */
  discard(): void {
    this.#waiting = []
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  #tick(): void {
    this.#timer = null
    if (this.#waiting.length === 0) return
    this.#flush()
    this.#timer = setTimeout(() => this.#tick(), FRAME_MS)
  }

  #flush(): void {
    const all = join(this.#waiting)
    this.#waiting = []
    for (let at = 0; at < all.byteLength; at += FRAME_BYTES) this.#send(all.subarray(at, at + FRAME_BYTES))
  }
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const only = pieces[0]
  if (pieces.length === 1 && only) return only
  const out = new Uint8Array(pieces.reduce((sum, p) => sum + p.byteLength, 0))
  let at = 0
  for (const piece of pieces) {
    out.set(piece, at)
    at += piece.byteLength
  }
  return out
}
