import type { Clock } from '@/kit/clock'
import type { ObservedInstance } from '@/protocol/sync'
import { noteOutdatedHost } from '@/server/service/outdated-hosts'
import type { Db } from '@/server/store/db'
import { markCurrent } from '@/server/store/system/placements'

/** Keeps which instances of one machine run in code that is too old. The store is asked only when a machine says another thing than before. */
export class HostKeeper {
  readonly #deps: { db: Db; clock: Clock }
  #known = new Map<string, boolean>()

  constructor(deps: { db: Db; clock: Clock }) {
    this.#deps = deps
  }

  /** Only of instances that the store knows as this machine's. */
  async keep(instances: readonly ObservedInstance[]): Promise<void> {
    const { db, clock } = this.#deps
    const said = new Map(instances.map((i) => [i.placementId, i.needsRestart === true]))
    const news = instances.filter((i) => this.#known.get(i.placementId) !== said.get(i.placementId))
    const [outdated, current] = [news.filter((i) => i.needsRestart), news.filter((i) => !i.needsRestart)]
    for (const { workloadId, placementId } of outdated) await noteOutdatedHost(db, { workloadId, placementId, at: clock.now() })
    const ids = current.map((i) => i.placementId)
    if (ids.length > 0) await markCurrent(db, ids)
    this.#known = said
  }
}
