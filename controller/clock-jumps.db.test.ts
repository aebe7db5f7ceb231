import { expect, it } from 'vitest'
import type { Workload } from '@/domain/workloads'
import { parkWorkload, resumeWorkload } from '@/server/service/operations'
import { createWorkload } from '@/server/service/workloads'
import { listEvents } from '@/server/store/events'
import { ControllerWorld } from '@/testing/controller-world'
import { eachProvider } from '@/testing/databases'
import { createInput } from '@/testing/seed'

const HOUR_MS = 3_600_000
/** So many passes of half a second, with every pause that a retry or a lease may make: an hour of waiting is no part of it. */
const PASSES_MAX = 60
const is = (state: Workload['state']) => (w: Workload) => w.state === state

eachProvider('X31: a clock that is set by an hour', (get) => {
  /** Created, up at the second try, parked, resumed. The clock is set while the second try is waited for, or while it is parked. */
  async function story(world: ControllerWorld, jump: { at: 'retry' | 'park' | 'never'; ms: number }) {
    let passes = 0
    const until = async (id: string, isWished: (w: Workload) => boolean) => {
      while (!isWished(await world.workload(id))) {
        passes += 1
        if (passes > PASSES_MAX) throw new Error(`still ${(await world.workload(id)).state} after ${PASSES_MAX} passes`)
        await world.pass()
      }
    }
    const { id } = await createWorkload(world.ctx, createInput())
    world.fake.script(id, { startMs: 750, stopMs: 750, startFault: 'no_capacity' })
    await until(id, (w) => w.attempts === 1)
    if (jump.at === 'retry') world.jump(jump.ms)
    world.fake.script(id, { startFault: null })
    await until(id, is('running'))
    await parkWorkload(world.ctx, id)
    if (jump.at === 'park') world.jump(jump.ms)
    // Whoever follows a killed controller must get its lease, whatever the clock says.
    if (jump.at === 'park') world.killAfter = world.steps + 1
    await until(id, is('parked'))
    await resumeWorkload(world.ctx, id)
    await until(id, is('running'))
    expect(world.fake.listed().map((i) => i.placementId)).toEqual([(await world.workload(id)).placement?.id])
    const events = await listEvents(world.ctx.db, world.ctx.tenantId, { workloadId: id, afterSeq: 0, limit: 500 })
    return events.flatMap((e) => (e.to ? [e.to] : []))
  }

  it.each([HOUR_MS, -HOUR_MS])('(%i ms) loses nothing, starts nothing twice and holds nothing up', async (ms) => {
    const world = await ControllerWorld.open(get())
    const plain = await story(world, { at: 'never', ms })
    for (const at of ['retry', 'park'] as const) expect(await story(await world.renew(), { at, ms }), at).toEqual(plain)
  })
})
