import { v7 as uuidv7 } from 'uuid'
import { AgentsBackend } from '@/backends/agents/agents-backend'
import type { Workload } from '@/domain/workloads'
import { systemClock } from '@/kit/clock'
import type { Db } from '@/server/store/db'
import { workloadById } from '@/server/store/system/workloads'
import { CATALOG } from '@/testing/candidates'
import { until } from '@/testing/until'
import type { Hub } from '../hub/hub'
import { log } from '../hub/testing/hub-world'
import { ControllerLease } from '../lease'
import { Reconciler } from '../reconcile'

/** A controller over a real hub and a real database; the test makes its passes. */
export class LiveController {
  readonly #db: Db
  readonly #hub: Hub
  readonly #reconciler: Reconciler
  readonly #beforePass: () => Promise<void>

  constructor(of: { db: Db; hub: Hub; runtimeDir: string; beforePass: () => Promise<void> }) {
    const { db, hub, runtimeDir } = of
    this.#beforePass = of.beforePass
    const lease = new ControllerLease({ db, clock: systemClock })
    const backend = new AgentsBackend({ db, link: hub.link, runtimeDir, epoch: () => lease.epoch })
    // A step that is to be tried later is, five times sooner.
    const elapsedMs = () => 5 * performance.now()
    const pace = { newId: () => uuidv7(), random: () => 0, wake: () => undefined, passMs: 20_000, elapsedMs }
    this.#db = db
    this.#hub = hub
    this.#reconciler = new Reconciler({ db, backend, catalog: CATALOG, lease, clock: systemClock, log, ...pace })
  }

  async pass(): Promise<void> {
    await this.#beforePass()
    await this.#reconciler.pass(new AbortController().signal)
  }

  /** Passes until the workload is as wished. */
  async until(id: string, what: string, isWished: (w: Workload) => boolean): Promise<Workload> {
    let now = await this.workload(id)
    const looked = until(what, async () => {
      await this.pass()
      now = await this.workload(id)
      return isWished(now)
    })
    await looked.catch((cause: unknown) => {
      throw new Error(`${what}: still ${now.state} (${now.reason?.code})`, { cause })
    })
    return now
  }

  async workload(id: string): Promise<Workload> {
    const found = await workloadById(this.#db, id)
    if (!found) throw new Error('no such workload')
    return found
  }

  /** Ends the controller and its hub, as a restart does; machines go on. */
  async close(): Promise<void> {
    await this.#reconciler.close()
    await this.#hub.close()
  }
}
