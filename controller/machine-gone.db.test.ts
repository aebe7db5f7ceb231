import { expect, it } from 'vitest'
import type { Workload } from '@/domain/workloads'
import { placeWorkload } from '@/server/service/controller-moves'
import { giveUpMachine } from '@/server/service/machine-gone'
import { recoverWorkload } from '@/server/service/operations'
import { createWorkload, getWorkload, listEvents } from '@/server/service/workloads'
import { capacityUse } from '@/server/store/capacity'
import { markDisconnected, mintMachineGen } from '@/server/store/system/machines'
import { TestClock } from '@/testing/clock'
import { ControllerWorld } from '@/testing/controller-world'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, placementLease, seedMachine, seedMember, seedTenant } from '@/testing/seed'

const CONFLICT = { code: 'conflict' }

eachProvider('a machine that its owner says is gone for good', (get) => {
  it('is refused while it may be there; then what it ran is lost, and ended, not resumed, when it comes back after all', async () => {
    const world = await ControllerWorld.open(get())
    const { ctx, machine, fake } = world
    const { id } = await createWorkload(ctx, createInput())
    const first = await world.until(id, (w) => w.state === 'running')
    const { id: broken } = await createWorkload(ctx, createInput())
    fake.script(broken, { startFault: 'start_failed' })
    await world.until(broken, (w) => w.state === 'failed')
    const used = async () => (await capacityUse(get(), [machine.id])).get(machine.id)?.cpus
    await expect(giveUpMachine(ctx, machine.id)).rejects.toMatchObject(CONFLICT)
    fake.isUp = false
    await markDisconnected(get(), { machineId: machine.id, machineGen: machine.machineGen })
    world.clock.advance(29_000)
    await expect(giveUpMachine(ctx, machine.id)).rejects.toMatchObject(CONFLICT)
    world.clock.advance(2000)
    const person = await seedMember(get(), { tenantId: ctx.tenantId, owner: ctx.person }, 'admin')
    await expect(giveUpMachine({ ...ctx, person }, machine.id)).rejects.toMatchObject({ code: 'forbidden' })
    expect([(await world.workload(id)).state, await used()]).toEqual(['running', 2])

    expect(await giveUpMachine(ctx, machine.id)).toEqual({ lost: 1 })
    expect(await world.workload(id)).toMatchObject({ state: 'lost', reason: { code: 'machine_gone' }, placement: null })
    expect(await world.workload(broken)).toMatchObject({ state: 'failed', placement: null, looksUntil: null })
    expect(await used()).toBe(0)
    expect(await giveUpMachine(ctx, machine.id)).toEqual({ lost: 0 })
    expect((await listEvents(ctx, { id })).filter((e) => e.reason.code === 'machine_gone')).toMatchObject([{ actor: 'person' }])
    await world.settle()
    expect((await world.workload(id)).state).toBe('lost')

    fake.isUp = true
    await mintMachineGen(get(), { machineId: machine.id, controllerId: 'controller-1', at: world.clock.now() })
    expect(fake.listed().map((i) => i.placementId)).toContain(first.placement?.id)
    await world.settle(20)
    expect(fake.listed()).toEqual([])
    expect((await world.workload(id)).state).toBe('lost')
    await recoverWorkload(ctx, id)
    expect(await world.until(id, (w) => w.state === 'running')).toMatchObject({ workloadGen: 2 })
  })

  it('is never the one that Berth itself runs on', async () => {
    const world = await ControllerWorld.open(get())
    await get().machine.update({ where: { id: world.machine.id }, data: { region: 'local' } })
    await markDisconnected(get(), { machineId: world.machine.id, machineGen: world.machine.machineGen })
    world.clock.advance(3_600_000)
    const refused = giveUpMachine(world.ctx, world.machine.id)
    await expect(refused).rejects.toThrow(/^Berth itself runs on/)
  })
})

eachProvider('a machine that is said to be gone while work is placed on it', (get) => {
  it('X30: keeps nothing of placements that race with it', async () => {
    const clock = new TestClock()
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed, { clock })
    const machine = await seedMachine(get(), seed)
    const { epoch } = await placementLease(get())
    const waiting = await Promise.all(Array.from({ length: 20 }, () => createWorkload(ctx, createInput())))
    clock.advance(60_000)
    const away = () => markDisconnected(get(), { machineId: machine.id, machineGen: machine.machineGen })
    const place = (workload: Workload) =>
      placeWorkload(get(), {
        ...{ workload, machineId: machine.id, catalog: ctx.catalog, epoch, placementId: ctx.newId(), at: ctx.now() },
      })
    for (const one of waiting.slice(0, 2)) await place(one)
    const race = [...waiting.slice(2, 7).map(place), away(), ...waiting.slice(7, 14).map(place)]
    const last = Promise.all(race).then(() => [giveUpMachine(ctx, machine.id), ...waiting.slice(14).map(place)])
    await Promise.all(await last)
    for (const { id } of waiting) {
      const now = await getWorkload(ctx, id)
      expect([now.placement ?? null, ['queued', 'lost'].includes(now.state)]).toEqual([null, true])
    }
    for (const { id } of waiting.slice(0, 2)) expect((await getWorkload(ctx, id)).state).toBe('lost')
    expect((await capacityUse(get(), [machine.id])).get(machine.id)?.cpus ?? 0).toBe(0)
  })
})
