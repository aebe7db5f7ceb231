import type { Workload } from '@/domain/workloads'
import { SteadyTime } from './steady-time'
import { ShownStops } from './stops'

/** What a controller remembers between its passes. It is for pace and patience alone: losing it makes things later, never wrong. */
export class PassMemory {
  readonly #steady: SteadyTime
  readonly #shown: ShownStops

  constructor(elapsedMs: () => number = () => performance.now()) {
    this.#steady = new SteadyTime(elapsedMs)
    this.#shown = new ShownStops(elapsedMs)
  }

  /** How old a moment is at this pass. */
  ageMs(now: Date): (since: Date) => number {
    this.#steady.look(now)
    return (since) => this.#steady.ageMs(since)
  }

  /** See ShownStops. */
  warningsMissing(workloads: readonly Workload[], now: Date): ReadonlyMap<string, number> {
    return this.#shown.update(workloads, now)
  }
}
