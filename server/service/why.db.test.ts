import { expect, it } from 'vitest'
import { addSample } from '@/server/store/system/machines'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedMachine, seedMember, seedPlaced, seedRunning, seedTenant } from '@/testing/seed'
import { getMachine, listMachines } from './machines'
import { whyWaiting, fit as wouldFit } from './why'
import { createWorkload } from './workloads'

eachProvider('why', (get) => {
  const start = async () => {
    const clock = new TestClock()
    const seed = await seedTenant(get())
    return { clock, seed, ctx: ctxFor(get(), seed, { clock }) }
  }

  it('says what a waiting workload waits for, and its place in the queue', async () => {
    const { ctx, seed, clock } = await start()
    const machine = await seedMachine(get(), seed)
    await seedPlaced(ctx, machine, createInput({ spec: { cpus: 6 } }))
    const first = await createWorkload(ctx, createInput({ spec: { cpus: 4 } }))
    clock.advance(1000)
    const second = await createWorkload(ctx, createInput({ spec: { cpus: 4 } }))
    const funnel = await whyWaiting(ctx, second.id)
    expect(funnel.queue).toEqual({ position: 2, length: 2 })
    expect(funnel.chosen).toBeNull()
    expect(funnel.reason).toMatchObject({ code: 'waiting_cpu', args: { asked: 4, free: 2, total: 8 } })
    expect(funnel.machines).toMatchObject([{ machineId: machine.id, droppedBy: 'cpu' }])
    expect((await whyWaiting(ctx, first.id)).queue).toEqual({ position: 1, length: 2 })
  })

  it('offers to park one of one’s own whose room is enough, and names nobody else’s', async () => {
    const { ctx, seed, clock } = await start()
    const machine = await seedMachine(get(), seed)
    await get().machine.update({ where: { id: machine.id }, data: { sharing: 'tenant' } })
    const mine = await seedRunning(ctx, machine, createInput({ spec: { cpus: 8 } }))
    const waiting = await createWorkload(ctx, createInput({ spec: { cpus: 4 } }))
    const park = { workloadId: mine.id, name: mine.name }
    expect((await whyWaiting(ctx, waiting.id)).suggestions).toMatchObject([{ title: `Park ${mine.name}`, change: {}, park }])
    const noor = ctxFor(get(), seed, { clock, person: await seedMember(get(), seed, 'member') })
    const { kind, spec } = createInput()
    expect(JSON.stringify(await wouldFit(noor, { kind, spec }))).not.toContain(mine.name)
  })

  it('gives the place that the controller gives: whoever has less running goes first', async () => {
    const { ctx, seed, clock } = await start()
    await seedPlaced(ctx, await seedMachine(get(), seed))
    const earlier = await createWorkload(ctx, createInput())
    clock.advance(1000)
    const noor = ctxFor(get(), seed, { clock, person: await seedMember(get(), seed, 'member') })
    const later = await createWorkload(noor, createInput())
    expect((await whyWaiting(noor, later.id)).queue).toEqual({ position: 1, length: 2 })
    expect((await whyWaiting(ctx, earlier.id)).queue).toEqual({ position: 2, length: 2 })
    const { kind, spec } = createInput()
    expect((await wouldFit(noor, { kind, spec })).queue).toEqual({ position: 3, length: 3 })
    const fresh = ctxFor(get(), seed, { clock, person: await seedMember(get(), seed, 'member') })
    expect((await wouldFit(fresh, { kind, spec })).queue).toEqual({ position: 2, length: 3 })
  })

  it('is asked only of what waits, by who may see it', async () => {
    const { ctx, seed } = await start()
    const placed = await seedPlaced(ctx, await seedMachine(get(), seed))
    await expect(whyWaiting(ctx, placed.id)).rejects.toMatchObject({ code: 'wrong_state' })
    const member = ctxFor(get(), seed, { person: await seedMember(get(), seed, 'member') })
    const waiting = await createWorkload(ctx, createInput())
    await expect(whyWaiting(member, waiting.id)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('tells the form where a request would run, before anything is created', async () => {
    const { ctx, seed } = await start()
    const { kind, spec } = createInput()
    expect(await wouldFit(ctx, { kind, spec })).toMatchObject({ chosen: null, reason: { code: 'no_machine' }, machines: [] })
    const machine = await seedMachine(get(), seed)
    expect(await wouldFit(ctx, { kind, spec })).toMatchObject({ chosen: { machineId: machine.id, name: machine.name } })
    expect(await get().workload.count({ where: { tenantId: seed.tenantId } })).toBe(0)
  })

  it('N3: never names another tenant’s machine, and shows an untrusted one no numbers', async () => {
    const owner = await start()
    const machine = await seedMachine(get(), owner.seed)
    const stranger = ctxFor(get(), await seedTenant(get(), { trust: 'untrusted' }))
    const { kind, spec } = createInput()
    expect(JSON.stringify(await wouldFit(stranger, { kind, spec }))).not.toContain(machine.id)
    const own = await seedMachine(get(), { tenantId: stranger.tenantId, owner: stranger.person })
    const funnel = await wouldFit(stranger, { kind, spec: { ...spec, cpus: 9 } })
    expect(funnel.machines).toMatchObject([{ machineId: own.id, droppedBy: 'cpu', detail: 'no room' }])
    expect(funnel.rows.every((row) => row.wouldPass === undefined)).toBe(true)
    expect(funnel.reason).toEqual({ code: 'waiting_cpu', args: { asked: 9 } })
    await get().machine.update({ where: { id: machine.id }, data: { sharing: 'everyone' } })
    expect((await listMachines(stranger)).map((m) => m.id)).toEqual([own.id])
    await get().machine.update({ where: { id: machine.id }, data: { sharing: 'owner' } })
  })

  it('machines show what is taken and their use of now', async () => {
    const { ctx, seed } = await start()
    const machine = await seedMachine(get(), seed)
    await seedPlaced(ctx, machine)
    const use = { cpu: 0.5, memoryBytes: 1, diskFreeBytes: 2 }
    await addSample(get(), { machineId: machine.id, use, at: ctx.now() })
    const expected = { id: machine.id, used: { cpus: 1, devices: [] }, use: { ...use, at: ctx.now() }, isConnected: true }
    expect(await listMachines(ctx)).toMatchObject([expected])
    expect(await getMachine(ctx, machine.id)).toMatchObject(expected)
    const stranger = ctxFor(get(), await seedTenant(get()))
    await expect(getMachine(stranger, machine.id)).rejects.toMatchObject({ code: 'not_found' })
  })
})
