import { expect, it } from 'vitest'
import { because } from '@/domain/reasons'
import { saveQuota } from '@/server/store/quota'
import { GIB } from '@/testing/candidates'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedMachine, seedMember, seedRunning, seedTenant } from '@/testing/seed'
import { toParked } from './controller-moves'
import { deleteWorkload } from './deletion'
import { parkWorkload, resumeWorkload } from './operations'
import { createWorkload } from './workloads'

eachProvider('quotas', (get) => {
  async function open(limits: object, whose: 'tenant' | 'owner' = 'tenant') {
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed)
    const userId = whose === 'tenant' ? null : seed.owner.id
    await saveQuota(get(), ctx.tenantId, { id: ctx.newId(), userId, limits })
    return { seed, ctx }
  }
  const gpu = { class: 'l4-24gb', count: 2, allowFallbacks: false }

  it.each([
    ['workloads at once', { limits: { workloads: 1 }, spec: {} }, '1 asked, 1 of 1 in use'],
    ['GPUs', { limits: { gpus: 3 }, spec: { gpu } }, '2 asked, 2 of 3 in use'],
    ['CPUs', { limits: { cpus: 3 }, spec: { cpus: 2 } }, '2 asked, 2 of 3 in use'],
    ['memory', { limits: { memoryBytes: 3 * GIB }, spec: { memoryBytes: 2 * GIB } }, '2 GiB asked, 2 GiB of 3 GiB in use'],
    ['storage', { limits: { diskBytes: 1.5 * GIB }, spec: {} }, '1 GiB asked, 1 GiB of 1.5 GiB in use'],
  ])('of %s: the second is refused with limit and use, and leaves no row', async (label, { limits, spec }, text) => {
    const { ctx } = await open(limits)
    await createWorkload(ctx, createInput({ spec }))
    const refused = createWorkload(ctx, createInput({ spec }))
    await expect(refused).rejects.toMatchObject({ code: 'over_quota', message: `the tenant's quota of ${label}: ${text}` })
    expect(await get().workload.count({ where: { tenantId: ctx.tenantId } })).toBe(1)
  })

  it('X51: hold when 50 create at once', async () => {
    const { ctx } = await open({ workloads: 10 })
    const made = await Promise.allSettled(Array.from({ length: 50 }, () => createWorkload(ctx, createInput())))
    expect(made.filter((one) => one.status === 'fulfilled')).toHaveLength(10)
    expect(await get().workload.count({ where: { tenantId: ctx.tenantId } })).toBe(10)
  })

  it('of a person bound that person alone; what is deleted counts no more', async () => {
    const { ctx, seed } = await open({ workloads: 1 }, 'owner')
    const { id } = await createWorkload(ctx, createInput())
    await expect(createWorkload(ctx, createInput())).rejects.toMatchObject({ code: 'over_quota', args: { whose: 'your' } })
    await createWorkload(ctxFor(get(), seed, { person: await seedMember(get(), seed, 'member') }), createInput())
    await deleteWorkload(ctx, id)
    await createWorkload(ctx, createInput())
  })

  it('count what is parked for its storage alone, and are asked again when it starts again', async () => {
    const { ctx, seed } = await open({ workloads: 1 })
    const { id } = await seedRunning(ctx, await seedMachine(get(), seed))
    const parking = await parkWorkload(ctx, id)
    await toParked(get(), { workload: parking, reason: because('parked', {}), at: ctx.now(), hasWorkspace: true })
    const other = await createWorkload(ctx, createInput())
    await expect(resumeWorkload(ctx, id)).rejects.toMatchObject({ code: 'over_quota' })
    await deleteWorkload(ctx, other.id)
    expect((await resumeWorkload(ctx, id)).state).toBe('queued')
  })
})
