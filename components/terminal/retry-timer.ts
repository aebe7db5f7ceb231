const RETRY_BASE_MS = 100
const RETRY_CAP_MS = 2000
const OPEN_WITHIN_MS = 10_000
/** A connection that held this long ends the row of failures before it. */
const STEADY_MS = 2000

/** The one timer of a connection: until it is open, while it proves that it holds, or until it is tried again. */
export class RetryTimer {
  #timer: ReturnType<typeof setTimeout> | undefined
  #failures = 0

  /** A connection is being opened; it gives up after 10 s. */
  opening(giveUp: () => void): void {
    this.#set(OPEN_WITHIN_MS, giveUp)
  }

  /** It is open. When it holds, the next failure is a first one again. */
  opened(): void {
    this.#set(STEADY_MS, () => {
      this.#failures = 0
    })
  }

  /** It was lost; tries again after 100 ms, twice as long each time, up to 2 s. Returns the wait. */
  lost(again: () => void): number {
    const waitMs = Math.min(RETRY_CAP_MS, RETRY_BASE_MS * 2 ** this.#failures)
    this.#failures = Math.min(this.#failures + 1, 10)
    this.#set(waitMs, again)
    return waitMs
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #set(ms: number, then: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(then, ms)
  }
}
