/**
 * Runs one job at a time and merges requests: those that come while it runs share the next run, which begins after them
 * and so sees what they wrote.
 */
export class SyncPump {
  readonly #job: () => Promise<void>
  #waiting: Waiter[] = []
  #isRunning = false
  constructor(job: () => Promise<void>) {
    this.#job = job
  }

  /** Resolves when a run that began after this call has ended; rejects with its failure. */
  request(): Promise<void> {
    const waiter = withResolvers()
    this.#waiting.push(waiter)
    if (!this.#isRunning) this.#drain().catch(() => undefined) // every failure goes to those who wait for it
    return waiter.promise
  }

  async #drain(): Promise<void> {
    this.#isRunning = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0)
      const failure = await this.#job().then(
        () => null,
        (error: unknown) => ({ error }),
      )
      for (const waiter of batch) {
        if (failure) waiter.reject(failure.error)
        else waiter.resolve()
      }
    }
    this.#isRunning = false
  }
}

type Waiter = { promise: Promise<void>; resolve: () => void; reject: (error: unknown) => void }

function withResolvers(): Waiter {
  let resolve: () => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
