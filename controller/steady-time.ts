/** Two looks are seconds apart: when the wall's clock moved that much more than the monotonic one, it was set, or the computer slept. */
const JUMP_MS = 30_000

type Look = { wallMs: number; elapsedMs: number }

/**
 * How much time really passed. A clock that is set forward by an hour, or a computer that slept, must not end what had an
 * hour to make progress. What is remembered here is for that alone: without it a time is as old as the clock says.
 */
export class SteadyTime {
  readonly #elapsedMs: () => number
  #last: Look | null = null
  /** Where the clock was after each jump forward, and by how much it had jumped. */
  #jumps: { toMs: number; byMs: number }[] = []

  constructor(elapsedMs: () => number = () => performance.now()) {
    this.#elapsedMs = elapsedMs
  }

  /** Notes where the clock is now; called at each look. */
  look(now: Date): void {
    const at = { wallMs: now.getTime(), elapsedMs: this.#elapsedMs() }
    const byMs = this.#last ? at.wallMs - this.#last.wallMs - (at.elapsedMs - this.#last.elapsedMs) : 0
    this.#last = at
    if (byMs >= JUMP_MS) this.#jumps = [...this.#jumps.slice(-JUMPS_MAX), { toMs: at.wallMs, byMs }]
  }

  /** Milliseconds since that moment, as of the last look, without those that the clock jumped over. */
  ageMs(since: Date): number {
    const at = since.getTime()
    const jumped = this.#jumps.filter((jump) => at < jump.toMs).reduce((sum, jump) => sum + jump.byMs, 0)
    return (this.#last?.wallMs ?? at) - at - jumped
  }
}
const JUMPS_MAX = 100
