import { randomUUID } from 'node:crypto'
import type { Clock } from '@/kit/clock'
import type { Db } from '@/server/store/db'
import { acquireLease, PLACEMENT_LEASE, releaseLease } from '@/server/store/system/leases'

/** Long enough for a slow pass, short enough that a killed controller is followed soon. */
const TTL_MS = 4000

/** This controller's hold on the right to decide. Its epoch is written with every wish, so that an older holder changes nothing. */
export class ControllerLease {
  readonly #deps: { db: Db; clock: Clock }
  readonly #elapsedMs: () => number
  readonly #holder = randomUUID()
  #epoch = 0
  /** By the monotonic clock: a wall's clock that is set must not make a lease longer. */
  #heldUntilMs = 0
  #isGivenBack = false

  constructor(deps: { db: Db; clock: Clock; elapsedMs?: () => number }) {
    this.#deps = deps
    this.#elapsedMs = deps.elapsedMs ?? (() => performance.now())
  }

  /** 0 before it was ever held. */
  get epoch(): number {
    return this.#epoch
  }

  /** Takes or prolongs it; false while another controller holds it, and once it was given back. Called at the start of each pass; writes only when half its time is over. */
  async hold(): Promise<boolean> {
    if (this.#isGivenBack) return false
    const { db, clock } = this.#deps
    const [at, elapsedMs] = [clock.now(), this.#elapsedMs()]
    if (elapsedMs + TTL_MS / 2 < this.#heldUntilMs) return true
    const lease = await acquireLease(db, { name: PLACEMENT_LEASE, holder: this.#holder, ttlMs: TTL_MS, at })
    this.#heldUntilMs = lease ? elapsedMs + TTL_MS : 0
    if (lease) this.#epoch = lease.epoch
    if (this.#isGivenBack) await this.release() // while it was asked for
    return lease !== null && !this.#isGivenBack
  }

  /** Gives it back for good, so that the next controller need not wait. */
  async release(): Promise<void> {
    this.#isGivenBack = true
    if (this.#heldUntilMs === 0) return
    const { db, clock } = this.#deps
    this.#heldUntilMs = 0
    await releaseLease(db, { name: PLACEMENT_LEASE, holder: this.#holder, epoch: this.#epoch, at: clock.now() })
  }
}
