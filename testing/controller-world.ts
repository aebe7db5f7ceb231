import { v7 as uuidv7 } from 'uuid'
import { FakeBackend } from '@/backends/fake/fake-backend'
import type { FakeMachine } from '@/backends/fake/fake-machine'
import { gatherFacts } from '@/controller/facts'
import { ControllerLease } from '@/controller/lease'
import { PassMemory } from '@/controller/pass-memory'
import { plan } from '@/controller/plan'
import { execute } from '@/controller/runner'
import { StartRecord } from '@/controller/start-record'
import type { Step } from '@/controller/step'
import type { Machine } from '@/domain/machines'
import type { Workload } from '@/domain/workloads'
import { createLog } from '@/kit/log'
import type { Ctx } from '@/server/service/ctx'
import type { Db } from '@/server/store/db'
import { mintMachineGen, touchContact } from '@/server/store/system/machines'
import { askedOf } from '@/server/store/system/observing'
import { saveOrphans } from '@/server/store/system/orphans'
import { ackWants } from '@/server/store/system/placements'
import { workloadById } from '@/server/store/system/workloads'
import { CATALOG } from './candidates'
import { TestClock } from './clock'
import { ctxFor, seedMachine, seedTenant } from './seed'

const log = createLog('test', { level: 'silent' })
const TICK_MS = 500
const LEASE_OVER_MS = 10_000
const PASSES_MAX = 300
const MINUTE_MS = 60_000

/** A real store, a fake machine and a controller that can be killed after any of its steps. Time moves with each pass. */
export class ControllerWorld {
  readonly clock: TestClock
  readonly backend: FakeBackend
  readonly ctx: Ctx
  readonly machine: Machine
  /** Steps that were run, by all controllers. */
  steps = 0
  /** The controller dies right after this step; another one starts once the lease ran out. */
  killAfter: number | null = null
  readonly #db: Db
  #jumpedMs = 0
  #lease: ControllerLease
  #memory: PassMemory
  #starts = new StartRecord(log)

  private constructor(db: Db, made: { ctx: Ctx; machine: Machine; clock: TestClock }) {
    this.#db = db
    this.clock = made.clock
    this.ctx = made.ctx
    this.machine = made.machine
    this.backend = new FakeBackend(async (id) => (await askedOf(db, [id])).get(id)?.machine?.id ?? null)
    this.#lease = this.#newLease()
    this.#memory = new PassMemory(() => this.#elapsedMs())
  }

  /** A tenant and a machine of its own. */
  static async open(db: Db): Promise<ControllerWorld> {
    const clock = new TestClock()
    const seed = await seedTenant(db)
    const machine = await seedMachine(db, seed)
    return new ControllerWorld(db, { machine, clock, ctx: ctxFor(db, seed, { clock }) })
  }

  /** The same tenant and machine as on the first day: nothing runs, the machine is connected, nobody holds the lease. */
  async renew(): Promise<ControllerWorld> {
    const { clock, ctx } = this
    const mine = { tenantId: ctx.tenantId }
    await this.#db.workload.updateMany({ where: mine, data: { state: 'removed', placementId: null, liveName: null } })
    await this.#db.placement.updateMany({ where: mine, data: { releasedAt: clock.now(), want: 'park' } })
    const at = clock.advance(LEASE_OVER_MS)
    await saveOrphans(this.#db, { machineId: this.machine.id, at }, [])
    const machineGen = await mintMachineGen(this.#db, { machineId: this.machine.id, controllerId: 'controller-1', at })
    return new ControllerWorld(this.#db, { machine: { ...this.machine, machineGen }, clock, ctx })
  }

  /** The wall's clock is set; no time passes. */
  jump(ms: number): void {
    this.#jumpedMs += ms
    this.clock.advance(ms)
  }

  #elapsedMs(): number {
    return this.clock.now().getTime() - this.#jumpedMs
  }

  #newLease(): ControllerLease {
    return new ControllerLease({ db: this.#db, clock: this.clock, elapsedMs: () => this.#elapsedMs() })
  }

  get fake(): FakeMachine {
    return this.backend.machine(this.machine.id)
  }

  /** Passes until the workload is as wished; fails with what it last was. */
  async until(id: string, isWished: (w: Workload) => boolean): Promise<Workload> {
    for (let pass = 0; pass < PASSES_MAX; pass++) {
      const now = await this.workload(id)
      if (isWished(now)) return now
      await this.pass()
    }
    const last = await this.workload(id)
    throw new Error(`still ${last.state} (${last.reason?.code}) after ${PASSES_MAX} passes`)
  }

  /** The same with a minute between two passes, for what takes long. */
  async untilSlow(id: string, isWished: (w: Workload) => boolean): Promise<Workload> {
    for (let minute = 0; minute < PASSES_MAX && !isWished(await this.workload(id)); minute++) {
      this.clock.advance(MINUTE_MS)
      await this.pass()
    }
    return this.until(id, isWished)
  }

  /** Passes until nothing is left to do for it, at least a few. */
  async settle(passes = 5): Promise<void> {
    for (let pass = 0; pass < passes; pass++) await this.pass()
  }

  async workload(id: string): Promise<Workload> {
    const found = await workloadById(this.#db, id)
    if (!found) throw new Error('no such workload')
    return found
  }

  /** One pass of the present controller, step by step; then time moves on. */
  async pass(): Promise<void> {
    if (this.fake.isUp) await this.#hear()
    if (await this.#lease.hold()) for (const step of await this.#planned()) if (!(await this.#run(step))) break
    this.clock.advance(TICK_MS)
    this.backend.advance(TICK_MS)
  }

  /** The hub hears from the machine all the time. */
  async #hear(): Promise<void> {
    const { id, machineGen } = this.machine
    const at = this.clock.now()
    await touchContact(this.#db, { machineId: id, machineGen, at })
    const acks = [...this.fake.instances.values()].map(({ placementId, acked, status }) => {
      return { placementId, want: acked, isDone: ['run', 'pause'].includes(acked) || ['stopped', 'removed'].includes(status) }
    })
    await ackWants(this.#db, { machineId: id, acks, bootId: this.fake.bootId, at })
  }

  async #planned(): Promise<Step[]> {
    const from = { db: this.#db, backend: this.backend, catalog: CATALOG, now: this.clock.now(), memory: this.#memory }
    return plan(await gatherFacts(from, new AbortController().signal))
  }

  async #run(step: Step): Promise<boolean> {
    const ctx = {
      db: this.#db,
      backend: this.backend,
      catalog: CATALOG,
      now: () => this.clock.now(),
      newId: () => uuidv7(),
      epoch: () => this.#lease.epoch,
      starts: this.#starts,
    }
    // A step that fails is tried again by a later pass, as the runner does.
    await execute(ctx, step, new AbortController().signal).catch(() => undefined)
    this.steps += 1
    if (this.steps !== this.killAfter) return true
    this.clock.advance(LEASE_OVER_MS)
    this.#lease = this.#newLease()
    this.#memory = new PassMemory(() => this.#elapsedMs())
    this.#starts = new StartRecord(log)
    return false
  }
}
