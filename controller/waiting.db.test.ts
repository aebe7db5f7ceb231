import { expect, it } from 'vitest'
import { reasonText } from '@/domain/reasons'
import { deleteWorkload } from '@/server/service/deletion'
import { parkWorkload, resumeWorkload } from '@/server/service/operations'
import { createWorkload } from '@/server/service/workloads'
import { readCounter } from '@/server/store/counter'
import { listEvents } from '@/server/store/events'
import { ControllerWorld } from '@/testing/controller-world'
import { eachProvider } from '@/testing/databases'
import { createInput } from '@/testing/seed'

const WHOLE = createInput({ spec: { cpus: 8 } })

eachProvider('the timeline of one that waits', (get) => {
  const open = async () => {
    const world = await ControllerWorld.open(get())
    const { ctx } = world
    const up = async (id: string) => world.until(id, (w) => w.state === 'running')
    const lines = async (id: string) => {
      const events = await listEvents(get(), ctx.tenantId, { workloadId: id, limit: 100 })
      return events.map((event) => event.reason)
    }
    const codes = async (id: string) => (await lines(id)).map((reason) => reason.code)
    return { world, ctx, up, lines, codes }
  }

  it('has one line for each kind of reason, three at most, whatever comes and goes, and then how long it waited', async () => {
    const { world, ctx, up, lines, codes } = await open()
    const first = await createWorkload(ctx, WHOLE)
    await up(first.id)
    expect(await codes(first.id)).toEqual(['created', 'placed', 'started'])
    const next = await createWorkload(ctx, WHOLE)
    await world.settle(2)
    expect(await codes(next.id)).toEqual(['created', 'waiting_cpu'])
    const { id: machineId } = world.machine
    const inventory = world.machine.inventory ?? expect.fail()
    const set = (data: object) => get().machine.update({ where: { id: machineId }, data })
    const flaps = [
      { state: 'draining' },
      { state: 'active', inventory: { ...inventory, drivers: [] } },
      { state: 'active', inventory: { ...inventory, memoryBytes: 1, cpus: 64 } },
      { inventory },
    ]
    let counter = 0
    for (let flap = 0; flap < 12; flap++) {
      if (flap === flaps.length) counter = await readCounter(get())
      await set(flaps[flap % flaps.length] ?? {})
      world.clock.advance(5000)
      await world.pass()
    }
    expect(await codes(next.id)).toEqual(['created', 'waiting_cpu', 'waiting_machines_away', 'waiting_runtime'])
    expect([await readCounter(get()), (await world.workload(next.id)).reason?.code]).toEqual([counter, 'waiting_cpu'])
    await deleteWorkload(ctx, first.id)
    await world.until(next.id, (w) => w.state === 'provisioning')
    expect(reasonText((await lines(next.id)).at(-1) ?? expect.fail())).toBe(
      `placed on ${world.machine.name} after 1 minute of waiting`,
    )
  })

  it('tells a new wait anew: also of one that a person resumed', async () => {
    const { world, ctx, up, codes } = await open()
    const parked = await createWorkload(ctx, WHOLE)
    await up(parked.id)
    await parkWorkload(ctx, parked.id)
    await world.until(parked.id, (w) => w.state === 'parked')
    const other = await createWorkload(ctx, WHOLE)
    await up(other.id)
    const before = await codes(parked.id)
    await resumeWorkload(ctx, parked.id)
    await world.settle()
    expect((await codes(parked.id)).slice(before.length)).toEqual(['resumed_by_person', 'waiting_cpu'])
  })
})
