import type { Log } from '@/kit/log'
import type { Cgroups } from './cgroups'

/** Tells the log once, with peak and limit, when the kernel ended something of an instance for its memory. */
export class KillWatch {
  readonly #log: Log
  readonly #cgroups: Cgroups
  readonly #told = new Map<string, number>()
  constructor(deps: { log: Log; cgroups: Cgroups }) {
    this.#log = deps.log
    this.#cgroups = deps.cgroups
  }

  /** Processes that were ended so far. `id` names the control groups. */
  kills(id: string, about: { placementId: string; limitBytes: number }): number {
    const kills = this.#cgroups.memoryKills(id)
    if (kills > (this.#told.get(id) ?? 0)) {
      this.#told.set(id, kills)
      this.#log.warn('out of memory', { ...about, kills, peakBytes: this.#cgroups.memoryPeak(id) })
    }
    return kills
  }

  forget(id: string): void {
    this.#told.delete(id)
  }
}
