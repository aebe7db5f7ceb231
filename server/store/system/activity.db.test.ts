import { expect, it } from 'vitest'
import { LIMITS } from '@/domain/limits'
import { createWorkload } from '@/server/service/workloads'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedMachine, seedPlaced, seedTenant } from '@/testing/seed'
import { readCounter } from '../counter'
import { workloadSamples } from '../samples'
import { keepUp, setPlannedStop } from '../settings'
import { addWorkloadSamples, saveActivity } from './activity'
import { workloadById } from './workloads'

eachProvider('activity', (get) => {
  const start = async () => {
    const clock = new TestClock()
    const ctx = ctxFor(get(), await seedTenant(get()), { clock })
    return { clock, ctx, workload: await createWorkload(ctx, createInput()), at: clock.now() }
  }
  const later = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1000)
  const use = (cpu: number) => ({ cpu, memoryBytes: 1, diskBytes: null, gpus: [] })

  it('keeps half an hour of samples of each workload, the newest over the oldest, and wakes nobody', async () => {
    const { ctx, workload, at } = await start()
    const other = await createWorkload(ctx, createInput())
    const counter = await readCounter(get())
    const ring = LIMITS.sampleSlots * LIMITS.sampleSeconds
    for (const seconds of [0, 5, 10, ring, ring])
      await addWorkloadSamples(get(), [
        { workloadId: workload.id, at: later(at, seconds), use: use(seconds) },
        { workloadId: other.id, at: later(at, seconds), use: use(0.5) },
      ])
    const query = { workloadId: workload.id, since: at }
    const found = await workloadSamples(get(), ctx.tenantId, query)
    expect(found.map((sample) => sample.use.cpu)).toEqual([5, 10, ring])
    expect(await workloadSamples(get(), ctx.tenantId, { ...query, since: later(at, 9) })).toHaveLength(2)
    expect(await workloadSamples(get(), ctx.newId(), query)).toEqual([])
    expect(await get().workloadSample.count({ where: { workloadId: workload.id } })).toBe(3)
    expect(await readCounter(get())).toBe(counter)
  })

  it('remembers the last activity, never an older one, and wakes nobody', async () => {
    const { ctx, workload, at } = await start()
    const other = await createWorkload(ctx, createInput())
    const counter = await readCounter(get())
    const busy = (id: string, seconds: number) => ({ workloadId: id, lastBusyAt: later(at, seconds) })
    await saveActivity(get(), [busy(workload.id, 60), busy(other.id, 90)])
    await saveActivity(get(), [busy(workload.id, 30), busy(other.id, 91)])
    expect((await workloadById(get(), workload.id))?.lastBusyAt).toEqual(later(at, 60))
    expect((await workloadById(get(), other.id))?.lastBusyAt).toEqual(later(at, 91))
    expect(await readCounter(get())).toBe(counter)
  })

  it('plans a stop only of what is up, in its own tenant; whoever keeps it counts as activity', async () => {
    const { ctx, at, workload } = await start()
    const machine = await seedMachine(get(), { tenantId: ctx.tenantId, owner: ctx.person })
    const stop = { stopAt: later(at, 600), stopWhy: 'idle' as const }
    expect(await setPlannedStop(get(), ctx.tenantId, { id: workload.id, ...stop })).toBe(false)
    const { id } = await seedPlaced(ctx, machine)
    await get().workload.update({ where: { id }, data: { state: 'running' } })
    expect(await setPlannedStop(get(), ctx.newId(), { id, ...stop })).toBe(false)
    expect(await setPlannedStop(get(), ctx.tenantId, { id, ...stop })).toBe(true)
    expect(await workloadById(get(), id)).toMatchObject(stop)
    expect(await keepUp(get(), ctx.tenantId, { id, at: later(at, 500) })).toBe(true)
    expect(await workloadById(get(), id)).toMatchObject({ stopAt: null, stopWhy: null, lastBusyAt: later(at, 500) })
  })
})
