import { describe, expect, it } from 'vitest'
import { orderQueue } from '@/domain/queue'
import { reasonText } from '@/domain/reasons'
import type { Workload } from '@/domain/workloads'
import { askOf, CATALOG, candidateOf, gpus, inventoryOf, machineOf, NOW, TENANT } from '@/testing/candidates'
import { placedOf, workloadOf } from '@/testing/workloads'
import type { Facts } from './facts'
import { planPlacement } from './placement'
import { plan } from './plan'
import { ageMs } from './testing/plan-facts'

const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)
const queued = (name: string, change: Partial<Workload> = {}) => workloadOf({ name, ...change })
const asking = (cpus: number) => ({ spec: askOf({ runtime: 'shell', cpus }).spec })

function factsOf(workloads: Workload[], machines = [candidateOf(machineOf('box'))]): Facts {
  return {
    now: NOW,
    workloads: workloads.map((workload) => ({ workload, observation: null, machine: null, progressAt: NOW })),
    strays: [],
    orphans: [],
    isQuarantined: false,
    warningsMissing: new Map(),
    recentUse: new Map(),
    ageMs,
    candidates: machines,
    trust: new Map([[TENANT, 'trusted']]),
    catalog: CATALOG,
  }
}
const briefly = (facts: Facts) => planPlacement(facts).map((s) => ('workload' in s ? `${s.kind} ${s.workload.name}` : s.kind))

describe('placement', () => {
  it('serves one person in the order of asking', () => {
    const facts = factsOf([queued('b', { stateSince: at(2) }), queued('a', { stateSince: at(1) })])
    expect(briefly(facts)).toEqual(['place a', 'place b'])
  })

  it('never lets one that nobody can serve block the one behind it', () => {
    const facts = factsOf([queued('huge', { ...asking(64), stateSince: at(1) }), queued('small', { stateSince: at(2) })])
    expect(briefly(facts)).toEqual(['wait huge', 'place small'])
  })

  it('is begun before any wait is told, however many wait in front', () => {
    const facts = factsOf([queued('huge', { ...asking(64), stateSince: at(1) }), queued('small', { stateSince: at(2) })])
    expect(plan(facts).map((step) => step.kind)).toEqual(['place', 'wait'])
  })

  it('counts what it gave away in the same pass', () => {
    const [first, second] = [queued('a', { ...asking(6), stateSince: at(1) }), queued('b', { ...asking(6), stateSince: at(2) })]
    const steps = planPlacement(factsOf([first, second]))
    expect(steps.map((s) => s.kind)).toEqual(['place', 'wait'])
    expect(reasonText(steps[1]?.reason ?? { code: '', args: {} })).toBe('waiting for 6 CPUs: 2 of 8 free')
  })

  it('does not try again before its time', () => {
    expect(briefly(factsOf([queued('a', { nextTryAt: at(5) })]))).toEqual([])
    expect(briefly(factsOf([queued('a', { nextTryAt: at(0) })]))).toEqual(['place a'])
  })

  it('writes a reason again only when it changed or got old', () => {
    const reason = { code: 'waiting_cpu' as const, args: { asked: 64, free: 8, total: 8 } }
    const waiting = (reasonAt: Date) => factsOf([queued('a', { ...asking(64), reason, reasonAt })])
    expect(briefly(waiting(at(-5)))).toEqual([])
    expect(briefly(waiting(at(-20)))).toEqual(['wait a'])
    expect(briefly(factsOf([queued('a', { ...asking(63), reason, reasonAt: NOW })]))).toEqual(['wait a'])
  })

  it('takes a stripped reason for the same one', () => {
    const reason = { code: 'waiting_cpu' as const, args: { asked: 64 } }
    expect(briefly(factsOf([queued('a', { ...asking(64), reason, reasonAt: NOW })]))).toEqual([])
  })

  it('tells each its place among those who wait in its own tenant', () => {
    const spec = askOf({ runtime: 'shell', gpu: { class: 'l40s-48gb', count: 1, allowFallbacks: false } }).spec
    const box = machineOf('box', { inventory: inventoryOf({ devices: gpus('box', 'l40s-48gb', ['busy']) }), sharing: 'everyone' })
    const waiting = ['a', 'b', 'c'].map((name, i) =>
      queued(name, { spec, stateSince: at(i), ...(name === 'b' ? { tenantId: 'other' } : {}) }),
    )
    const facts = factsOf(waiting, [candidateOf(box)])
    const steps = planPlacement({ ...facts, trust: new Map([...facts.trust, ['other', 'trusted']]) })
    expect(steps.map((s) => s.reason.args.position)).toEqual([1, 1, 2])
  })
})

describe('the queue', () => {
  const w = (id: string, ownerId: string, seconds: number) => ({ id, ownerId, tenantId: 't', stateSince: at(seconds) })
  const order = (waiting: ReturnType<typeof w>[], running: Record<string, number> = {}) =>
    orderQueue(waiting, new Map(Object.entries(running))).map((x) => x.id)

  it('L5: goes round the people, so that a hundred of one do not hold up another', () => {
    expect(order([w('a1', 'a', 1), w('a2', 'a', 2), w('a3', 'a', 3), w('b1', 'b', 4)])).toEqual(['a1', 'b1', 'a2', 'a3'])
  })

  it('lets those go first who have less running', () => {
    expect(order([w('a1', 'a', 1), w('b1', 'b', 2)], { 't/a': 2 })).toEqual(['b1', 'a1'])
  })

  it('goes between tenants first: many people of one do not hold up another', () => {
    const other = { ...w('x1', 'x', 9), tenantId: 'u' }
    expect(order([w('a1', 'a', 1), w('b1', 'b', 2), w('c1', 'c', 3), other])).toEqual(['a1', 'x1', 'b1', 'c1'])
    expect(order([w('a1', 'a', 1), other], { 't/gone': 5 })).toEqual(['x1', 'a1'])
  })

  it('is a total order, whatever the input order', () => {
    const waiting = [w('x', 'a', 1), w('y', 'a', 1), w('z', 'b', 1)]
    expect(order(waiting)).toEqual(order(waiting.toReversed()))
  })

  it('counts released placements as not running', () => {
    const resting = placedOf({ state: 'failed' }, { releasedAt: NOW })
    expect(briefly(factsOf([resting, queued('a')]))).toEqual(['place a'])
  })
})
