import { secretHash } from '@/server/service/secrets'
import { signInDelaySeconds } from './lockout'

/** Wrong passwords in a row, and until when the next try is refused. */
export type Tries = { failures: number; lockedUntil: Date | null }
const ENTRIES_MAX = 10_000

/**
 * Counts tries for addresses that have no account, so that the growing delay does not tell which ones do. In memory and
 * bounded: the oldest entries go first.
 */
export class UnknownTries {
  #tries = new Map<string, Tries>()

  get(email: string): Tries | null {
    return this.#tries.get(secretHash(email)) ?? null
  }

  async note(email: string, now: Date): Promise<void> {
    const key = secretHash(email)
    const failures = (this.#tries.get(key)?.failures ?? 0) + 1
    const delayMs = signInDelaySeconds(failures) * 1000
    this.#tries.delete(key)
    this.#tries.set(key, { failures, lockedUntil: delayMs === 0 ? null : new Date(now.getTime() + delayMs) })
    const [oldest] = this.#tries.keys()
    if (this.#tries.size > ENTRIES_MAX && oldest !== undefined) this.#tries.delete(oldest)
  }
}
