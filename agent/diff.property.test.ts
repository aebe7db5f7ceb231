import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WANTS, type Want } from '@/domain/workloads'
import type { DesiredInstance, ObservedInstance } from '@/protocol/sync'
import { type Action, accept, diff, type Present } from './diff'
import type { HeldInstance } from './state'
import { held, seen, uuid } from './testing/instances'
import { sampleSpec } from './testing/sample-spec'

/** A machine that does what it is told: each action brings the instance to its target. */
function applied(present: Present, actions: readonly Action[]): Present {
  let { held: h, observed: o } = present
  for (const a of actions) {
    const id = a.kind === 'start' ? a.spec.placementId : a.instance.placementId
    const move = (status: ObservedInstance['status']) => o.map((x) => (x.placementId === id ? { ...x, status } : x))
    if (a.kind === 'start') {
      o = [...o, seen(a.spec, 'running')]
      h = h.map((x) => (x.spec.placementId === id ? { ...x, isStarted: true } : x))
    } else if (a.kind === 'pause') o = move('paused')
    else if (a.kind === 'resume') o = move('running')
    else if (a.kind === 'stop') {
      o = move(a.how === 'remove' ? 'removed' : 'stopped')
      h = h.map((x) => (x.spec.placementId === id && x.spec.want === 'remove' ? { ...x, isRemoved: true } : x))
    } else {
      o = o.filter((x) => x.placementId !== id)
      h = h.filter((x) => x.spec.placementId !== id)
    }
  }
  return { held: h, observed: o }
}

const STATUSES = ['starting', 'running', 'paused', 'stopping', 'stopped', 'removed', 'failed'] as const
const anyWorld = fc
  .array(
    fc.record({
      workload: fc.integer({ min: 1, max: 3 }),
      gen: fc.integer({ min: 1, max: 3 }),
      want: fc.constantFrom(...WANTS),
      isStarted: fc.boolean(),
      status: fc.option(fc.constantFrom(...STATUSES)),
      isHeld: fc.boolean(),
      isListed: fc.boolean(),
      listedWant: fc.constantFrom(...WANTS),
    }),
    { maxLength: 8 },
  )
  .map((rows) => {
    const unique = [...new Map(rows.map((r) => [`${r.workload}.${r.gen}`, r])).values()]
    const of = (r: (typeof rows)[number], w: Want) =>
      sampleSpec({ workloadId: uuid(r.workload), placementId: uuid(r.workload * 100 + r.gen), workloadGen: r.gen, want: w })
    return {
      desired: unique.filter((r) => r.isListed).map((r) => of(r, r.listedWant)),
      held: unique.filter((r) => r.isHeld).map((r) => held(of(r, r.want), { isStarted: r.isStarted })),
      observed: unique.flatMap((r) => (r.status === null ? [] : [seen(of(r, r.want), r.status)])),
    }
  })
type World = { desired: DesiredInstance[]; held: HeldInstance[]; observed: ObservedInstance[] }

/** What sync does: take over, then act. */
function plan(world: World) {
  const taken = accept(world.desired, world).held
  const ids = new Set(taken.map((t) => t.spec.placementId))
  const present = { held: [...world.held.filter((h) => !ids.has(h.spec.placementId)), ...taken], observed: world.observed }
  return { present, actions: diff(new Set(world.desired.map((d) => d.placementId)), present) }
}

describe('accept and diff, for every desired list and every machine', () => {
  it('come to rest: what was done is not done again', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        let now: World = world
        for (let pass = 0; pass < 5; pass++) {
          const { present, actions } = plan(now)
          if (actions.length === 0) return
          now = { desired: world.desired, ...mutable(applied(present, actions)) }
        }
        expect(plan(now).actions).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })

  it('never end what was neither listed to end nor ordered to end before', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        for (const action of plan(world).actions) {
          if (action.kind !== 'stop') continue
          const ordered = [...world.desired, ...world.held.map((h) => h.spec)].filter(
            (s) => s.placementId === action.instance.placementId,
          )
          expect(ordered.some((s) => ['park', 'remove', 'destroy'].includes(s.want))).toBe(true)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('never start what is not listed, what was begun before, or a second copy', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        const started = plan(world).actions.flatMap((a) => (a.kind === 'start' ? [a.spec] : []))
        for (const s of started) {
          expect(world.desired.some((d) => d.placementId === s.placementId)).toBe(true)
          expect(world.held.some((h) => h.spec.placementId === s.placementId && h.isStarted)).toBe(false)
          expect(
            world.observed.some(
              (o) => o.workloadId === s.workloadId && ['starting', 'running', 'paused', 'stopping'].includes(o.status),
            ),
          ).toBe(false)
        }
        expect(new Set(started.map((s) => s.workloadId)).size).toBe(started.length)
      }),
      { numRuns: 2000 },
    )
  })
})

function mutable(p: Present): { held: HeldInstance[]; observed: ObservedInstance[] } {
  return { held: [...p.held], observed: [...p.observed] }
}
