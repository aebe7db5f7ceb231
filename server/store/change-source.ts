/** Where a dialect's watcher reports that the database may have changed. */
export type Feed = { changed(): void }
/** Begins to watch; returns how to end it. */
export type StartWatching = (feed: Feed) => () => void

/** One watcher for all who listen in this process; it runs only while somebody listens. */
export class ChangeSource {
  readonly #start: StartWatching
  #stop: (() => void) | null = null
  #listeners = 0
  #signals = 0
  readonly #wakers = new Set<() => void>()

  constructor(start: StartWatching) {
    this.#start = start
  }

  /** Keeps the watcher running until the returned function is called. */
  join(): () => void {
    this.#listeners++
    this.#stop ??= this.#start({ changed: () => this.#wake() })
    return () => {
      this.#listeners--
      if (this.#listeners > 0) return
      this.#stop?.()
      this.#stop = null
    }
  }

  /** How many signals came so far: pass it to `next`, so that one between two calls is not missed. */
  get signals(): number {
    return this.#signals
  }

  /** Resolves at a signal newer than `seen`, after the time, or when aborted. */
  async next(options: { seen: number; timeoutMs: number; signal: AbortSignal }): Promise<void> {
    if (this.#signals > options.seen || options.signal.aborted) return
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer)
        this.#wakers.delete(end)
        options.signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, options.timeoutMs)
      this.#wakers.add(end)
      options.signal.addEventListener('abort', end)
    })
  }

  #wake(): void {
    this.#signals++
    for (const wake of [...this.#wakers]) wake()
  }
}
