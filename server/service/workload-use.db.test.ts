import { expect, it } from 'vitest'
import { putShare } from '@/server/store/shares'
import { addWorkloadSamples } from '@/server/store/system/activity'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedMember, seedTenant } from '@/testing/seed'
import { latestUse } from './workload-use'
import { createWorkload } from './workloads'

eachProvider('what workloads use now', (get) => {
  it('is the newest sample of the last minute of each that the person may see, and nothing of the others', async () => {
    const clock = new TestClock()
    const [seed, stranger] = [await seedTenant(get()), await seedTenant(get())]
    const ctx = ctxFor(get(), seed, { clock })
    const noor = await seedMember(get(), seed, 'member')
    const [first, second, silent] = [
      await createWorkload(ctx, createInput()),
      await createWorkload(ctx, createInput()),
      await createWorkload(ctx, createInput()),
    ]
    const ids = [first.id, second.id, silent.id, ctx.newId()]
    const sample = async (workloadId: string, cpu: number) =>
      addWorkloadSamples(get(), [{ workloadId, at: clock.now(), use: { cpu, memoryBytes: 1, diskBytes: null, gpus: [] } }])
    const seen = async (who = ctx) => {
      const cpus = new Map((await latestUse(who, ids)).map((row) => [row.workloadId, row.use.cpu]))
      return [first, second, silent].map(({ id }) => cpus.get(id))
    }
    for (const [workload, cpu] of [
      [silent, 9],
      [first, 1],
    ] as const) {
      await sample(workload.id, cpu)
      clock.advance(31_000)
    }
    await sample(first.id, 2)
    await sample(second.id, 3)
    expect(await seen()).toEqual([2, 3, undefined])
    expect(await seen(ctxFor(get(), stranger, { clock }))).toEqual([undefined, undefined, undefined])
    const member = ctxFor(get(), seed, { clock, person: noor })
    expect(await seen(member)).toEqual([undefined, undefined, undefined])
    const share = { id: ctx.newId(), workloadId: second.id, userId: noor.id, level: 'view' as const, at: clock.now() }
    await putShare(get(), seed.tenantId, share)
    expect(await seen(member)).toEqual([undefined, 3, undefined])
    clock.advance(61_000)
    expect(await seen()).toEqual([undefined, undefined, undefined])
  })
})
