import type { Clock } from '@/kit/clock'
import type { ObservedInstance } from '@/protocol/sync'
import { noteVolumes } from '@/server/service/egress-volumes'
import type { Db } from '@/server/store/db'

/** Sees to it that the timelines tell to which hosts instances of one machine sent a lot. The store is asked only of new ones. */
export class VolumeKeeper {
  readonly #deps: { db: Db; clock: Clock }
  #told = new Map<string, ReadonlySet<string>>()

  constructor(deps: { db: Db; clock: Clock }) {
    this.#deps = deps
  }

  /** Only of instances that the store knows as this machine's. */
  async keep(instances: readonly ObservedInstance[]): Promise<void> {
    const { db, clock } = this.#deps
    const heavy = instances.filter((i) => i.heavyHosts !== undefined && i.heavyHosts.length > 0)
    const present = new Set(heavy.map((i) => i.placementId))
    for (const id of this.#told.keys()) if (!present.has(id)) this.#told.delete(id)
    for (const { workloadId, placementId, heavyHosts: hosts = [] } of heavy) {
      const told = this.#told.get(placementId)
      if (told && hosts.every((host) => told.has(host))) continue
      this.#told.set(placementId, await noteVolumes(db, { workloadId, placementId, hosts, at: clock.now() }))
    }
  }
}
