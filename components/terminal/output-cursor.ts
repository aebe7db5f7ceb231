type Piece = { bytes: Uint8Array; seq: number; skipped: { from: number; to: number } | null }

/** Drawn bytes are acknowledged in steps of this size. */
const ACK_BYTES = 262_144

/** Where one window stands in a session's output. A position belongs to one run of the workload and dies with it. */
export class OutputCursor {
  #workloadGen = 0
  #next: number | null = null
  #acked = 0

  /** What to ask for on the next connection; null: a snapshot. */
  get since(): { workloadGen: number; seq: number } | null {
    return this.#next === null ? null : { workloadGen: this.#workloadGen, seq: this.#next }
  }

  /** A connection of this run began. */
  begin(workloadGen: number): void {
    if (workloadGen !== this.#workloadGen) this.#next = null
    this.#workloadGen = workloadGen
    this.#acked = this.#next ?? 0
  }

  /** Output that arrived: null when all of it is known already, otherwise its new part and what is missing before it. */
  take(seq: number, bytes: Uint8Array): Piece | null {
    const next = this.#next ?? seq
    const known = Math.max(0, next - seq)
    if (known >= bytes.byteLength) return null
    const skipped = seq > next ? { from: next, to: seq } : null
    this.#next = seq + bytes.byteLength
    return { bytes: bytes.subarray(known), seq: seq + known, skipped }
  }

  /** A snapshot was painted: everything before `seq` is in it. */
  reset(seq: number): void {
    this.#next = seq
    this.#acked = seq
  }

  /** Bytes before `seq` will not come. */
  skipTo(seq: number): void {
    this.#next = Math.max(this.#next ?? 0, seq)
  }

  /** What to acknowledge now that everything before `seq` is drawn; null: too little for a message. */
  drawn(seq: number): number | null {
    if (seq - this.#acked < ACK_BYTES) return null
    this.#acked = seq
    return seq
  }
}
