import { AppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'

const WINDOW_MS = 60_000
const ADDRESSES_MAX = 10_000

/**
 * Wrong passwords from one address within a minute, whichever accounts they named: the second key beside the account's own
 * delay. It forgets after a minute and counts no refused try, so that nobody is locked out for good. In memory and bounded.
 */
export class AddressTries {
  readonly #tries = new Map<string, number[]>()

  /** Throws over_limit while this address has had its tries for a minute. */
  require(address: string, now: Date): void {
    const [oldest, ...others] = this.#recent(address, now)
    if (oldest === undefined || others.length + 1 < LIMITS.signInFailuresPerAddress) return
    const retrySeconds = Math.ceil((oldest + WINDOW_MS - now.getTime()) / 1000)
    const max = LIMITS.signInFailuresPerAddress
    throw new AppError('over_limit', { limit: 'wrong passwords a minute from one address', max, retrySeconds })
  }

  note(address: string, now: Date): void {
    const tries = [...this.#recent(address, now), now.getTime()]
    this.#tries.delete(address)
    this.#tries.set(address, tries)
    const [oldest] = this.#tries.keys()
    if (this.#tries.size > ADDRESSES_MAX && oldest !== undefined) this.#tries.delete(oldest)
  }

  #recent(address: string, now: Date): number[] {
    const since = now.getTime() - WINDOW_MS
    return (this.#tries.get(address) ?? []).filter((at) => at > since)
  }
}
