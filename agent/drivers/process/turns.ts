/** Work on one thing goes one after the other; different things do not wait for each other. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs `work` when everything that was asked for this key before has ended, however it ended. */
  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(key) ?? Promise.resolve()).then(work)
    const settled = result
      .catch(() => undefined)
      .finally(() => {
        if (this.#last.get(key) === settled) this.#last.delete(key)
      })
    this.#last.set(key, settled)
    return result
  }
}
