import type { Clock } from '@/kit/clock'
import type { ObservedInstance } from '@/protocol/sync'
import { type Noted, noteRefusals, untold } from '@/server/service/refusals'
import type { Db } from '@/server/store/db'

/** Sees to it that the timelines tell what instances of one machine were refused. The store is asked only when something is to be told. */
export class RefusalKeeper {
  readonly #deps: { db: Db; clock: Clock }
  #noted = new Map<string, Noted>()

  constructor(deps: { db: Db; clock: Clock }) {
    this.#deps = deps
  }

  /** Only of instances that the store knows as this machine's. */
  async keep(instances: readonly ObservedInstance[]): Promise<void> {
    const { db, clock } = this.#deps
    const refused = instances.filter((i) => i.refused !== undefined && i.refused.length > 0)
    const present = new Set(refused.map((i) => i.placementId))
    for (const id of this.#noted.keys()) if (!present.has(id)) this.#noted.delete(id)
    for (const { workloadId, placementId, refused: hosts = [] } of refused) {
      const at = clock.now()
      const known = this.#noted.get(placementId)
      if (known && untold(hosts, known, at).length === 0) continue
      this.#noted.set(placementId, await noteRefusals(db, { workloadId, placementId, hosts, at }))
    }
  }
}
