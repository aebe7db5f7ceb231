import { expect, it } from 'vitest'
import { because } from '@/domain/reasons'
import type { Workload } from '@/domain/workloads'
import { readCounter } from '@/server/store/counter'
import { inTx } from '@/server/store/db'
import { findWorkload } from '@/server/store/workloads'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedMachine, seedPlaced, seedTenant } from '@/testing/seed'
import { note, transition } from './transition'
import { createWorkload } from './workloads'

const reason = because('waiting_first_look', {})

eachProvider('transition', (get) => {
  async function created() {
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed)
    return { ctx, seed, workload: await createWorkload(ctx, createInput()) }
  }
  const reread = async (w: Workload) => (await findWorkload(get(), w.tenantId, w.id)) as Workload
  const events = (w: Workload) => get().workloadEvent.findMany({ where: { workloadId: w.id }, orderBy: { seq: 'asc' } })

  it('lets exactly one of 200 concurrent writers win each version, and leaves no gap in the timeline', async () => {
    const { ctx, seed } = await created()
    const machine = await seedMachine(get(), seed)
    let workload = await seedPlaced(ctx, machine)
    const rounds: ('running' | 'paused')[] = ['running', 'paused', 'running', 'paused']
    for (const to of rounds) {
      const before = workload
      const results = await Promise.allSettled(
        Array.from({ length: 50 }, (_, i) =>
          inTx(get(), (tx) => transition(tx, before, to, because('stage', { stage: `writer ${i}` }), ctx.now())),
        ),
      )
      // A lost race that finds the row at its target is success, so all succeed; the row moved once.
      expect(results.filter((r) => r.status === 'rejected')).toEqual([])
      workload = await reread(workload)
      expect(workload.version).toBe(before.version + 1)
    }
    const rows = await events(workload)
    expect(rows.map((row) => row.seq)).toEqual(rows.map((_, i) => i + 1))
    expect(rows.filter((row) => row.toState === 'running')).toHaveLength(2)
    expect(new Set(rows.map((row) => row.changeNo)).size).toBe(rows.length)
  })

  it('refuses the loser of a race to another state, and writes nothing of it', async () => {
    const { ctx, seed } = await created()
    const workload = await seedPlaced(ctx, await seedMachine(get(), seed))
    const targets = Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? 'running' : 'failed') as 'running' | 'failed')
    const results = await Promise.allSettled(
      targets.map((to) => inTx(get(), (tx) => transition(tx, workload, to, reason, ctx.now()))),
    )
    const after = await reread(workload)
    expect(after.version).toBe(workload.version + 1)
    const lost = results.filter((r) => r.status === 'rejected')
    expect(lost).toHaveLength(100)
    expect(lost.every((r) => r.status === 'rejected' && r.reason.code === 'conflict')).toBe(true)
    expect((await events(workload)).map((row) => row.seq)).toEqual([1, 2, 3])
  })

  it('I8: leaves the row untouched when the placement is stale', async () => {
    const { ctx, seed } = await created()
    const workload = await seedPlaced(ctx, await seedMachine(get(), seed))
    const stale = { placementId: ctx.newId() }
    const act = inTx(get(), (tx) => transition(tx, workload, 'running', reason, ctx.now(), stale))
    await expect(act).rejects.toMatchObject({ code: 'conflict' })
    expect(await reread(workload)).toEqual(workload)
  })

  it('X50: refuses a writer who saw an older version, even when the state is the same again', async () => {
    const { ctx, seed } = await created()
    const at = ctx.now()
    const placed = await seedPlaced(ctx, await seedMachine(get(), seed))
    const old = await inTx(get(), (tx) => transition(tx, placed, 'running', reason, at))
    const paused = await inTx(get(), (tx) => transition(tx, old, 'paused', reason, at))
    const now = await inTx(get(), (tx) => transition(tx, paused, 'running', reason, at))
    await expect(inTx(get(), (tx) => transition(tx, old, 'parking', reason, at))).rejects.toMatchObject({ code: 'conflict' })
    expect(await reread(old)).toEqual(now)
  })

  it('refuses a move that the table of states does not have', async () => {
    const { ctx, workload } = await created()
    const before = await readCounter(get())
    const act = inTx(get(), (tx) => transition(tx, workload, 'running', reason, ctx.now()))
    await expect(act).rejects.toMatchObject({ code: 'conflict' })
    expect((await reread(workload)).state).toBe('queued')
    expect(await readCounter(get())).toBe(before)
  })

  it('rolls state, event and change signal back together', async () => {
    const { ctx, workload } = await created()
    const before = await readCounter(get())
    const act = inTx(get(), async (tx) => {
      await transition(tx, workload, 'canceled', reason, ctx.now())
      throw new Error('after the transition')
    })
    await expect(act).rejects.toThrow('after the transition')
    expect((await reread(workload)).state).toBe('queued')
    expect(await events(workload)).toHaveLength(1)
    expect(await readCounter(get())).toBe(before)
  })

  it('raises the change counter once per transition and per note', async () => {
    const { ctx, workload } = await created()
    const before = await readCounter(get())
    await inTx(get(), (tx) => note(tx, workload, reason, ctx.now()))
    await inTx(get(), (tx) => transition(tx, workload, 'canceled', reason, ctx.now()))
    expect(await readCounter(get())).toBe(before + 2)
  })

  it('numbers 100 concurrent notes without a gap and moves no version', async () => {
    const { ctx, workload } = await created()
    await Promise.all(Array.from({ length: 100 }, () => inTx(get(), (tx) => note(tx, workload, reason, ctx.now()))))
    const rows = await events(workload)
    expect(rows.map((row) => row.seq)).toEqual(Array.from({ length: 101 }, (_, i) => i + 1))
    expect((await reread(workload)).version).toBe(workload.version)
  })

  it('frees the name of a workload that ended', async () => {
    const { ctx, seed } = await created()
    const first = await createWorkload(ctx, createInput({ name: 'mine' }))
    await expect(createWorkload(ctxFor(get(), seed), createInput({ name: 'mine' }))).rejects.toMatchObject({ code: 'name_taken' })
    await inTx(get(), (tx) => transition(tx, first, 'canceled', reason, ctx.now()))
    expect((await createWorkload(ctx, createInput({ name: 'mine' }))).name).toBe('mine')
  })

  it('strips what only operators may see from an untrusted tenant, on write', async () => {
    const busy = because('waiting_all_busy', { class: 'l4-24gb', devices: 2, free: 1, machines: 3, position: 1 })
    for (const [trust, expected] of [
      ['trusted', { class: 'l4-24gb', devices: 2, free: 1, machines: 3, position: 1 }],
      ['untrusted', { class: 'l4-24gb', devices: 2, position: 1 }],
    ] as const) {
      const ctx = ctxFor(get(), await seedTenant(get(), { trust }))
      const workload = await createWorkload(ctx, createInput())
      await inTx(get(), (tx) => note(tx, workload, busy, ctx.now(), { isShown: true }))
      expect((await events(workload)).at(-1)?.args).toEqual(expected)
      expect((await reread(workload)).reason?.args).toEqual(expected)
    }
  })
})
