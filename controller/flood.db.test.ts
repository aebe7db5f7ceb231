import { expect, it } from 'vitest'
import { FakeBackend } from '@/backends/fake/fake-backend'
import { LIMITS } from '@/domain/limits'
import { createWorkload } from '@/server/service/workloads'
import { CATALOG } from '@/testing/candidates'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedMachine, seedTenant } from '@/testing/seed'
import { gatherFacts } from './facts'
import { PassMemory } from './pass-memory'
import { plan } from './plan'

/** Enough to be refused; every one that is not costs a transaction. */
const FLOOD = 2 * LIMITS.createsPerMinute

eachProvider('a tenant that floods', (get) => {
  it('L5 X76: is told its limit, and somebody else is accepted and placed as if it were not there', async () => {
    const db = get()
    const seeds = [await seedTenant(db), await seedTenant(db)] as const
    const machine = await seedMachine(db, seeds[0])
    await db.machine.update({ where: { id: machine.id }, data: { sharing: 'everyone' } })
    const [flooding, other] = [ctxFor(db, seeds[0]), ctxFor(db, seeds[1])]
    const flood = Promise.allSettled(Array.from({ length: FLOOD }, () => createWorkload(flooding, createInput())))
    const one = await createWorkload(other, createInput({ name: 'one' }))
    const refused = (await flood).flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
    expect(refused).toEqual(Array.from({ length: FLOOD - LIMITS.createsPerMinute }, () => 'over_limit'))
    const from = { db, backend: new FakeBackend(async () => null), catalog: CATALOG, now: other.now(), memory: new PassMemory() }
    const steps = plan(await gatherFacts(from, new AbortController().signal))
    const placed = steps.flatMap((step) => (step.kind === 'place' ? [step.workload.id] : []))
    expect(placed.length).toBeLessThan(LIMITS.createsPerMinute)
    expect(placed.slice(0, 2)).toContain(one.id)
  })
})
