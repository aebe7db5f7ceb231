import { afterAll, expect, it } from 'vitest'
import { renameWorkload } from '@/server/service/operations'
import { createWorkload } from '@/server/service/workloads'
import { readCounter } from '@/server/store/counter'
import { listEvents } from '@/server/store/events'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedTenant } from '@/testing/seed'
import { until } from '@/testing/until'
import { contextOf } from './context'
import { followChanges } from './follow-changes'
import { browserOf, runtimeFor } from './testing/web'

/** `npm run test:long` has as many viewers and changes as a large group makes. */
const [VIEWERS, ROUNDS] = process.env.SOAK ? [50, 200] : [10, 4]
const ROWS = 20

eachProvider('a burst of changes', (get) => {
  const leave = new AbortController()
  afterAll(() => leave.abort())

  it('L8 X72: reaches all who look, in fewer messages than changes, and stands in the timelines in order', async () => {
    const seed = await seedTenant(get())
    const ctx = ctxFor(get(), seed)
    const runtime = runtimeFor(get(), new TestClock())
    const { cookie } = await browserOf(runtime, seed.owner.id)
    const rows = await Promise.all(Array.from({ length: ROWS }, (_, n) => createWorkload(ctx, createInput({ name: `w-${n}` }))))
    const lastNames = rows.map((_, row) => `w-${row}-${ROUNDS - 1}`).sort()
    const views = Array.from({ length: VIEWERS }, () => new Map<string, string>())
    let messages = 0
    const look = async (view: Map<string, string>) => {
      const context = await contextOf(new Headers({ cookie }), runtime)
      const lastEventId = String(await readCounter(get()))
      for await (const [, change] of followChanges(context, { lastEventId, signal: leave.signal })) {
        messages += 1
        for (const { id, name } of change.workloads) view.set(id, name)
      }
    }
    const since = performance.now()
    const looking = Promise.all(views.map(look))
    for (let round = 0; round < ROUNDS; round++)
      await Promise.all(rows.map((row, n) => renameWorkload(ctx, row.id, `w-${n}-${round}`)))
    const hasAll = (view: Map<string, string>) => [...view.values()].sort().join() === lastNames.join()
    await until('all see the last names', () => views.every(hasAll), process.env.SOAK ? 900_000 : 60_000)
    // Each viewer hears at most once in 10 ms a viewer; where changes come more slowly than that there is nothing to put together.
    const atMost = VIEWERS * (3 + (performance.now() - since) / (10 * VIEWERS))
    expect(messages).toBeLessThan(Math.max((VIEWERS * ROWS * ROUNDS) / 2, atMost))
    for (const { id } of rows) {
      const events = await listEvents(get(), ctx.tenantId, { workloadId: id, afterSeq: 0, limit: 1000 })
      expect(events.map((event) => event.seq)).toEqual(Array.from({ length: ROUNDS + 1 }, (_, n) => n + 1))
    }
    leave.abort()
    await looking
  })
})
