import { randomUUID } from 'node:crypto'
import type { Clock } from '@/kit/clock'
import type { Db } from '@/server/store/db'
import { acquireLease, PLACEMENT_LEASE, releaseLease } from '@/server/store/system/leases'

/** Long enough for a slow pass, short enough that a killed controller is followed soon. */
const TTL_MS = 6000

/** This controller's hold on the right to decide. Its epoch is written with every wish, so that an older holder changes nothing. */
export class ControllerLease {
  readonly #deps: { db: Db; clock: Clock }
  readonly #holder = randomUUID()
  #epoch = 0
  #isHeld = false

  constructor(deps: { db: Db; clock: Clock }) {
    this.#deps = deps
  }

  /** 0 before it was ever held. */
  get epoch(): number {
    return this.#epoch
  }

  /** Takes or prolongs it; false while another controller holds it. Called at the start of each pass. */
  async hold(): Promise<boolean> {
    const { db, clock } = this.#deps
    const lease = await acquireLease(db, { name: PLACEMENT_LEASE, holder: this.#holder, ttlMs: TTL_MS, at: clock.now() })
    this.#isHeld = lease !== null
    if (lease) this.#epoch = lease.epoch
    return this.#isHeld
  }

  /** Gives it back, so that the next controller need not wait. */
  async release(): Promise<void> {
    if (!this.#isHeld) return
    const { db, clock } = this.#deps
    this.#isHeld = false
    await releaseLease(db, { name: PLACEMENT_LEASE, holder: this.#holder, epoch: this.#epoch, at: clock.now() })
  }
}
