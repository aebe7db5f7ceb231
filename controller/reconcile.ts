import type { WorkloadBackend } from '@/backends/backend'
import type { Catalog } from '@/domain/catalog'
import type { Clock } from '@/kit/clock'
import type { Log } from '@/kit/log'
import type { Db } from '@/server/store/db'
import { gatherFacts } from './facts'
import type { ControllerLease } from './lease'
import { PassMemory } from './pass-memory'
import { plan } from './plan'
import { StepRunner } from './runner'
import { StartRecord } from './start-record'

export type ReconcileDeps = {
  db: Db
  backend: WorkloadBackend
  catalog: Catalog
  lease: ControllerLease
  clock: Clock
  log: Log
  newId: () => string
  random: () => number
  /** Something ended or became due: a pass should come soon. */
  wake: () => void
  elapsedMs?: () => number
  passMs?: number
}

/**
 * One pass: what is wanted comes from the store, what is there from the backend, and the steps between them are run.
 * Running it twice changes nothing; ending it anywhere loses nothing.
 */
export class Reconciler {
  readonly #deps: ReconcileDeps
  readonly #runner: StepRunner
  readonly #memory: PassMemory

  constructor(deps: ReconcileDeps) {
    this.#deps = deps
    const { db, backend, catalog, lease, clock, newId, log, random, wake, ...pace } = deps
    const ctx = { db, backend, catalog, newId, starts: new StartRecord(log), now: () => clock.now(), epoch: () => lease.epoch }
    this.#memory = new PassMemory(deps.elapsedMs)
    this.#runner = new StepRunner({ ctx, log, random, onSettled: wake, ...pace })
  }

  /** Does nothing while another controller holds the lease. */
  async pass(signal: AbortSignal): Promise<void> {
    const { db, backend, catalog, lease, clock } = this.#deps
    if (!(await lease.hold())) return
    const facts = await gatherFacts({ db, backend, catalog, now: clock.now(), memory: this.#memory }, signal)
    signal.throwIfAborted()
    await this.#runner.run(plan(facts))
  }

  /** Ends what runs, then gives the lease back. */
  async close(): Promise<void> {
    await this.#runner.close()
    await this.#deps.lease.release()
  }
}
