/**
 * Runs work a few at a time and refuses what does not fit. `full` makes the error of a refusal; nothing waits without a
 * bound, so a flood costs its senders an answer and never the process its memory.
 */
export class WorkQueue {
  readonly #running: number
  readonly #waiting: number
  readonly #full: () => Error
  #active = 0
  #queue: (() => void)[] = []

  constructor(options: { running: number; waiting: number; full: () => Error }) {
    this.#running = options.running
    this.#waiting = options.waiting
    this.#full = options.full
  }

  /** Starts `work` as soon as there is room, in the order of calls. Throws the error of `full` when the queue is full. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#enter()
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  /** Nothing runs and nothing waits. */
  get isIdle(): boolean {
    return this.#active === 0
  }

  async #enter(): Promise<void> {
    if (this.#active < this.#running) {
      this.#active += 1
      return
    }
    if (this.#queue.length >= this.#waiting) throw this.#full()
    await new Promise<void>((resolve) => this.#queue.push(resolve))
  }

  /** Hands the place to the next in line, so that the number of running ones never rises above the bound. */
  #leave(): void {
    const next = this.#queue.shift()
    if (next) next()
    else this.#active -= 1
  }
}
