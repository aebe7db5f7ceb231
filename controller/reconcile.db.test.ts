import { v7 as uuidv7 } from 'uuid'
import { expect, it } from 'vitest'
import { FakeBackend } from '@/backends/fake/fake-backend'
import { createLog } from '@/kit/log'
import { Waker } from '@/kit/loop'
import { deleteWorkload } from '@/server/service/deletion'
import { parkWorkload } from '@/server/service/operations'
import { createWorkload } from '@/server/service/workloads'
import type { Db } from '@/server/store/db'
import { listEvents } from '@/server/store/events'
import { askedOf } from '@/server/store/system/observing'
import { workloadById } from '@/server/store/system/workloads'
import { CATALOG } from '@/testing/candidates'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedMachine, seedTenant } from '@/testing/seed'
import { ControllerLease } from './lease'
import { runControllerLoop } from './loop'
import { Reconciler } from './reconcile'

const log = createLog('test', { level: 'silent' })
const never = new AbortController().signal

function reconcilerOf(of: { db: Db; backend: FakeBackend; clock: TestClock; wake?: () => void }) {
  const { db, backend, clock, wake = () => undefined } = of
  const lease = new ControllerLease({ db, clock, elapsedMs: () => clock.now().getTime() })
  const made = { db, backend, clock, lease, log, wake, catalog: CATALOG, newId: () => uuidv7(), random: () => 0 }
  return { lease, reconciler: new Reconciler({ ...made, elapsedMs: () => clock.now().getTime(), passMs: 20_000 }) }
}

async function worldOf(db: Db) {
  const seed = await seedTenant(db)
  const machine = await seedMachine(db, seed)
  const clock = new TestClock()
  const backend = new FakeBackend(async (id) => (await askedOf(db, [id])).get(id)?.machine?.id ?? null)
  return { db, machine, clock, backend, ctx: ctxFor(db, seed, { clock }) }
}

eachProvider('two controllers', (get) => {
  it('X6 X7 X8: one decides at a time, and one that slept through its lease changes nothing', async () => {
    const world = await worldOf(get())
    const [first, second] = [reconcilerOf(world), reconcilerOf(world)]
    const { id } = await createWorkload(world.ctx, createInput())
    await first.reconciler.pass(never)
    await second.reconciler.pass(never)
    expect((await workloadById(get(), id))?.state).toBe('provisioning')
    expect(second.lease.epoch).toBe(0)
    world.clock.advance(7000)
    await second.reconciler.pass(never)
    await second.reconciler.pass(never)
    expect((await workloadById(get(), id))?.state).toBe('running')
    expect(second.lease.epoch).toBe(first.lease.epoch + 1)
    await first.reconciler.pass(never)
    expect(await first.lease.hold()).toBe(false)
    const events = await listEvents(get(), world.ctx.tenantId, { workloadId: id, afterSeq: 0, limit: 100 })
    expect(events.map((e) => e.to)).toEqual(['queued', 'provisioning', 'running'])
    await Promise.all([first.reconciler.close(), second.reconciler.close()])
  })

  it('a controller that ends gives its lease back, so that the next one decides at once', async () => {
    const world = await worldOf(get())
    world.clock.advance(3_600_000)
    const [first, second] = [reconcilerOf(world), reconcilerOf(world)]
    await first.reconciler.pass(never)
    expect(await second.lease.hold()).toBe(false)
    await first.reconciler.close()
    expect(await second.lease.hold()).toBe(true)
    await second.reconciler.close()
    // A pass that was about to begin keeps nothing of it either.
    const third = reconcilerOf(world)
    await Promise.all([third.lease.hold(), third.reconciler.close()])
    expect(await reconcilerOf(world).lease.hold()).toBe(true)
  })
})

eachProvider('the loop', (get) => {
  it('acts on a click at once: by the change alone, with no tick in between', async () => {
    const world = await worldOf(get())
    world.clock.advance(7_200_000)
    const abort = new AbortController()
    const waker = new Waker()
    const { reconciler } = reconcilerOf({ ...world, wake: () => waker.wake() })
    const loop = runControllerLoop((s) => reconciler.pass(s), { db: get(), log, waker, signal: abort.signal, tickMs: 600_000 })
    const until = async (id: string, state: string) => {
      for (;;) {
        const w = await workloadById(get(), id)
        if (w?.state === state) return w
      }
    }
    const { id } = await createWorkload(world.ctx, createInput())
    await until(id, 'running')
    await parkWorkload(world.ctx, id)
    await until(id, 'parked')
    await deleteWorkload(world.ctx, id)
    const { reason } = await until(id, 'removed')
    expect(reason?.code).toMatch(/^removed/)
    abort.abort()
    await loop
    await reconciler.close()
  })
})
