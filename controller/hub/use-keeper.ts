import type { Clock } from '@/kit/clock'
import type { ObservedInstance } from '@/protocol/sync'
import type { Db } from '@/server/store/db'
import { addWorkloadSamples, saveActivity, workloadSlot } from '@/server/store/system/activity'

/** Activity is counted in minutes: it is written at most so often. */
const ACTIVITY_EVERY_MS = 30_000

/** When it was last busy, whether that is written, and when something was written. */
type Activity = { busyAt: Date; isSaved: boolean; savedAt: number }

/** Keeps what instances of one machine use, and when something last happened inside. Neither wakes anybody. */
export class UseKeeper {
  readonly #deps: { db: Db; clock: Clock }
  #slot = -1
  #activities = new Map<string, Activity>()

  constructor(deps: { db: Db; clock: Clock }) {
    this.#deps = deps
  }

  /** Only of instances that the store knows as this machine's. */
  async keep(instances: readonly ObservedInstance[]): Promise<void> {
    const up = instances.filter((i) => i.status === 'running' || i.status === 'paused')
    const at = this.#deps.clock.now()
    await this.#keepUse(up, at)
    await this.#keepActivity(up, at)
  }

  async #keepUse(up: readonly ObservedInstance[], at: Date): Promise<void> {
    const slot = workloadSlot(at)
    if (slot === this.#slot) return
    this.#slot = slot
    const samples = up.flatMap(({ workloadId, use }) => (use ? [{ workloadId, at, use }] : []))
    await addWorkloadSamples(this.#deps.db, samples)
  }

  async #keepActivity(up: readonly ObservedInstance[], at: Date): Promise<void> {
    // What a machine cannot tell counts as busy: nobody's work is parked for a probe that failed. Frozen is not.
    const busy = new Set(up.filter((i) => i.status === 'running' && i.isBusy !== false).map((i) => i.workloadId))
    const present = new Set(up.map((i) => i.workloadId))
    for (const id of this.#activities.keys()) if (!present.has(id)) this.#activities.delete(id)
    for (const id of busy)
      this.#activities.set(id, { savedAt: this.#activities.get(id)?.savedAt ?? 0, busyAt: at, isSaved: false })
    const due = [...this.#activities].filter(([, a]) => isDue(a, at))
    await saveActivity(
      this.#deps.db,
      due.map(([workloadId, { busyAt }]) => ({ workloadId, lastBusyAt: busyAt })),
    )
    for (const [id, { busyAt }] of due) this.#activities.set(id, { busyAt, isSaved: true, savedAt: at.getTime() })
  }
}

/** A clock that went back holds nothing up. */
function isDue({ isSaved, savedAt }: Activity, at: Date): boolean {
  return !isSaved && Math.abs(at.getTime() - savedAt) >= ACTIVITY_EVERY_MS
}
