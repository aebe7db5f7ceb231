import type { Workload } from '@/domain/workloads'
import { SteadyTime } from './steady-time'
import { ShownStops } from './stops'

/** What a controller remembers between its passes. It is for pace and patience alone: losing it makes things later, never wrong. */
export class PassMemory {
  readonly #steady: SteadyTime
  readonly #shown: ShownStops
  #used: { at: number; byPerson: ReadonlyMap<string, number> } | null = null

  constructor(elapsedMs: () => number = () => performance.now()) {
    this.#steady = new SteadyTime(elapsedMs)
    this.#shown = new ShownStops(elapsedMs)
  }

  /** How old a moment is at this pass. */
  ageMs(now: Date): (since: Date) => number {
    this.#steady.look(now)
    return (since) => this.#steady.ageMs(since)
  }

  /** What people used of late: read where more than one waits, since one alone is served in turn, and once a minute, since it moves by days. */
  async recentUse(
    people: number,
    now: Date,
    read: () => Promise<ReadonlyMap<string, number>>,
  ): Promise<ReadonlyMap<string, number>> {
    if (people < 2) return new Map()
    const isKept = this.#used !== null && Math.abs(now.getTime() - this.#used.at) < USED_EVERY_MS
    if (!isKept) this.#used = { at: now.getTime(), byPerson: await read() }
    return this.#used?.byPerson ?? new Map()
  }

  /** See ShownStops. */
  warningsMissing(workloads: readonly Workload[], now: Date): ReadonlyMap<string, number> {
    return this.#shown.update(workloads, now)
  }
}
const USED_EVERY_MS = 60_000
