import { expect, it } from 'vitest'
import { createWorkload } from '@/server/service/workloads'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedTenant } from '@/testing/seed'
import { changedSince, listEvents } from './events'

eachProvider('the timeline', (get, provider) => {
  async function created() {
    const ctx = ctxFor(get(), await seedTenant(get()))
    return { ctx, workload: await createWorkload(ctx, createInput()) }
  }

  it('K12: refuses every update and delete, and keeps its row', async () => {
    const { workload } = await created()
    const where = { workloadId: workload.id }
    await expect(get().workloadEvent.updateMany({ where, data: { code: 'placed' } })).rejects.toThrow()
    await expect(get().workloadEvent.deleteMany({ where })).rejects.toThrow()
    expect(await get().workloadEvent.findMany({ where, select: { code: true } })).toEqual([{ code: 'created' }])
  })

  it('K12: refuses to be emptied at once', async () => {
    const { workload } = await created()
    const statement = provider === 'postgres' ? 'TRUNCATE "workload_event"' : 'DELETE FROM "workload_event"'
    await expect(get().$executeRawUnsafe(statement)).rejects.toThrow(/append-only/i)
    expect(await get().workloadEvent.count({ where: { workloadId: workload.id } })).toBe(1)
  })

  it('is read in order, after a number, at most so many lines', async () => {
    const { ctx, workload } = await created()
    const query = { workloadId: workload.id, afterSeq: 0, limit: 10 }
    const lines = await listEvents(get(), ctx.tenantId, query)
    expect(lines).toMatchObject([
      { seq: 1, from: null, to: 'queued', actor: 'person', reason: { code: 'created', args: { person: 'Mara' } } },
    ])
    expect(await listEvents(get(), ctx.tenantId, { ...query, afterSeq: 1 })).toEqual([])
  })

  it('says what changed after a value of the counter', async () => {
    const { ctx, workload } = await created()
    const changed = await changedSince(get(), ctx.tenantId, { changeNo: 0, limit: 10 })
    expect(changed.map((row) => row.workloadId)).toEqual([workload.id])
    const last = changed[0]?.changeNo ?? 0
    expect(await changedSince(get(), ctx.tenantId, { changeNo: last, limit: 10 })).toEqual([])
  })
})
