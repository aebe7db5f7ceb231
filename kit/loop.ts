import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from './log'

/** Runs `pass` again whenever `wake` is called, at the latest after `everyMs`; one pass at a time, until `signal` aborts. */
export async function runLoop(
  pass: (signal: AbortSignal) => Promise<void>,
  options: { everyMs: number; signal: AbortSignal; log: Log; waker: Waker; failureDelayMs?: number },
): Promise<void> {
  while (!options.signal.aborted) {
    const woken = options.waker.next()
    let delayMs = options.everyMs
    try {
      await pass(options.signal)
    } catch (error) {
      if (options.signal.aborted) return
      options.log.error('pass failed', { error })
      delayMs = options.failureDelayMs ?? 1000
      await pause(delayMs, options.signal)
      continue
    }
    await pauseOrWake(woken, { ms: delayMs, signal: options.signal })
  }
}

/** A pause that a wake-up ends leaves no timer and no listener behind. */
async function pauseOrWake(woken: Promise<void>, rest: { ms: number; signal: AbortSignal }): Promise<void> {
  if (rest.signal.aborted) return
  const done = new AbortController()
  const end = () => done.abort()
  rest.signal.addEventListener('abort', end, { once: true })
  await Promise.race([woken, pause(rest.ms, done.signal)])
  rest.signal.removeEventListener('abort', end)
  done.abort()
}

/** A wake-up that is never missed: calls between two passes count as one. */
export class Waker {
  #resolve: () => void = () => undefined
  #promise: Promise<void>
  constructor() {
    this.#promise = this.#arm()
  }
  #arm(): Promise<void> {
    return new Promise((resolve) => {
      this.#resolve = resolve
    })
  }
  /** Resolves at the first `wake()` after this call. */
  next(): Promise<void> {
    this.#promise = this.#arm()
    return this.#promise
  }
  wake(): void {
    this.#resolve()
  }
}

/** Waits; ends early and quietly when the signal aborts. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal, ref: true }).catch(() => undefined)
}

/** Exponential backoff with full jitter. `random` is in [0, 1). */
export function backoffMs(attempt: number, base: { baseMs: number; capMs: number }, random: () => number): number {
  return Math.round(random() * Math.min(base.capMs, base.baseMs * 2 ** Math.min(attempt, 30)))
}
