import { expect, it } from 'vitest'
import { deleteWorkload } from '@/server/service/deletion'
import { whyWaiting } from '@/server/service/why'
import { createWorkload } from '@/server/service/workloads'
import { ControllerWorld } from '@/testing/controller-world'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedMember } from '@/testing/seed'

const HOUR = 3_600_000

eachProvider('a machine that two people want', (get) => {
  it('goes to who used less of late, whoever asked first; a week later to who asked first', async () => {
    const world = await ControllerWorld.open(get())
    const { ctx, clock } = world
    const seed = { tenantId: ctx.tenantId, owner: ctx.person }
    const noor = ctxFor(get(), seed, { clock, person: await seedMember(get(), seed, 'owner') })
    await get().machine.update({ where: { id: world.machine.id }, data: { sharing: 'tenant' } })
    const whole = createInput({ spec: { cpus: 8 } })
    const ended = async (id: string) => {
      await deleteWorkload(ctx, id)
      await world.until(id, (w) => w.state === 'removed')
    }
    const long = await createWorkload(ctx, whole)
    await world.until(long.id, (w) => w.state === 'running')
    clock.advance(5 * HOUR)
    await ended(long.id)

    const race = async () => {
      const first = await createWorkload(ctx, whole)
      clock.advance(1000)
      const second = await createWorkload(noor, whole)
      const places = [await whyWaiting(ctx, first.id), await whyWaiting(noor, second.id)].map((w) => w.queue?.position)
      await world.settle(2)
      const states = [(await world.workload(first.id)).state, (await world.workload(second.id)).state]
      return { first, second, places, isFirst: states.map((state) => state !== 'queued') }
    }
    const fair = await race()
    expect([fair.places, fair.isFirst]).toEqual([
      [2, 1],
      [false, true],
    ])
    await deleteWorkload(ctx, fair.first.id)
    await deleteWorkload(noor, fair.second.id)
    await world.until(fair.second.id, (w) => w.state === 'removed')
    clock.advance(8 * 24 * HOUR)
    const later = await race()
    expect([later.places, later.isFirst]).toEqual([
      [1, 2],
      [true, false],
    ])
  })
})
