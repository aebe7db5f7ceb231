/** One holder at a time, first come first served. */
export class Lock {
  #tail: Promise<void> = Promise.resolve()

  /** Resolves with the function that gives the lock back; call it exactly once. */
  async acquire(): Promise<() => void> {
    const before = this.#tail
    let release: () => void = () => undefined
    this.#tail = new Promise<void>((resolve) => {
      release = resolve
    })
    await before
    return release
  }
}

/** Gives timers and sockets a turn: SQLite work is synchronous, and a busy caller would starve them. */
export class Breather {
  #turn = performance.now()

  async breathe(): Promise<void> {
    if (performance.now() - this.#turn <= TURN_MS) return
    await new Promise((resolve) => setImmediate(resolve))
    this.#turn = performance.now()
  }
}
const TURN_MS = 8
