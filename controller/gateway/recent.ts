type Entry<T> = { at: number; value: Promise<T> }

const MAX = 5000

/**
 * Remembers answers for a moment, so that a page with a hundred requests asks the store once. Several callers share one
 * question in flight; a failed one is forgotten at once.
 */
export class Recent<T> {
  readonly #entries = new Map<string, Entry<T>>()
  readonly #ms: number

  constructor(ms: number) {
    this.#ms = ms
  }

  /** The answer if it is younger than the bound, else a new one. */
  get(key: string, ask: () => Promise<T>): Promise<T> {
    const now = performance.now()
    const known = this.#entries.get(key)
    if (known && now - known.at < this.#ms) return known.value
    const value = ask()
    this.#entries.delete(key)
    this.#entries.set(key, { at: now, value })
    value.catch(() => this.#entries.delete(key))
    if (this.#entries.size > MAX) this.#dropOldest()
    return value
  }

  /** Map keeps the order of insertion, so the first entry is the oldest. */
  #dropOldest(): void {
    for (const key of this.#entries.keys()) {
      this.#entries.delete(key)
      return
    }
  }
}
