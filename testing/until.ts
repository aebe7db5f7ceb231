import { setTimeout as wait } from 'node:timers/promises'

/** What a busy machine may add to a time that the product promises. How long it takes on a quiet one, the benchmarks say. */
export const NOISE_MS = 5000

/** Looks every few milliseconds until it is so, and says how long that took. Rejects after `withinMs`, naming what did not happen. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<number> {
  const start = performance.now()
  while (!(await isSo())) {
    if (performance.now() - start > withinMs) throw new Error(`did not happen within ${withinMs} ms: ${what}`)
    await wait(5)
  }
  return performance.now() - start
}
