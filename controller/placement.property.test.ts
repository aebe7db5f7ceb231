import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkPlacement } from '@/domain/funnel'
import { LIMITS } from '@/domain/limits'
import type { Candidate } from '@/domain/placement'
import type { Workload } from '@/domain/workloads'
import { askOf, CATALOG, candidateOf, GIB, gpus, inventoryOf, machineOf, NOW, TENANT } from '@/testing/candidates'
import { workloadOf } from '@/testing/workloads'
import { planPlacement } from './placement'
import { factsOf } from './testing/plan-facts'

const machine = fc.record({
  cpus: fc.integer({ min: 1, max: 16 }),
  memory: fc.integer({ min: 1, max: 64 }),
  usedCpus: fc.integer({ min: 0, max: 20 }),
  devices: fc.array(fc.constantFrom('free' as const, 'busy' as const, 'foreign' as const), { maxLength: 4 }),
  model: fc.constantFrom('l40s-48gb', 'a100-80gb'),
  isConnected: fc.boolean(),
})
const machines = fc.array(machine, { maxLength: 4 }).map((rows) =>
  rows.map((r, i): Candidate => {
    const name = `m${i}`
    const inventory = inventoryOf({ cpus: r.cpus, memoryBytes: r.memory * GIB, devices: gpus(name, r.model, r.devices) })
    return candidateOf(machineOf(name, { inventory, isConnected: r.isConnected }), { cpus: r.usedCpus })
  }),
)
const waiting = fc.record({
  cpus: fc.integer({ min: 1, max: 18 }),
  memory: fc.integer({ min: 1, max: 70 }),
  gpus: fc.integer({ min: 0, max: 3 }),
  model: fc.constantFrom('l40s-48gb', 'a100-80gb', 'h100-80gb'),
  allowFallbacks: fc.boolean(),
  pin: fc.constantFrom(null, null, 'm0', 'm1', 'gone'),
  minutes: fc.integer({ min: 0, max: 90 }),
})
const queue = fc.array(waiting, { maxLength: 8 }).map((rows) => rows.map(queuedOf))

function queuedOf(
  r: { cpus: number; memory: number; gpus: number; model: string; allowFallbacks: boolean; pin: string | null; minutes: number },
  i = 0,
) {
  const gpu = r.gpus === 0 ? null : { class: r.model, count: r.gpus, allowFallbacks: r.allowFallbacks }
  const { spec } = askOf({ runtime: 'shell', cpus: r.cpus, memoryBytes: r.memory * GIB, diskBytes: 0, gpu })
  const stateSince = new Date(NOW.getTime() - r.minutes * 60_000)
  return workloadOf({ name: `w${i}`, spec, stateSince, workspaceMachineId: r.pin })
}

const TRUST = new Map([[TENANT, 'trusted' as const]])
function placedIn(workloads: readonly Workload[], candidates: readonly Candidate[]) {
  const facts = workloads.map((workload) => ({ workload, observation: null, machine: null, progressAt: NOW }))
  const steps = planPlacement(factsOf(facts, { candidates, trust: TRUST, catalog: CATALOG }))
  return { steps, places: steps.flatMap((s) => (s.kind === 'place' ? [s] : [])) }
}

describe('placement, whatever waits and whatever machines there are', () => {
  it('never gives away more than a machine has', () => {
    fc.assert(
      fc.property(queue, machines, (workloads, candidates) => {
        const { places } = placedIn(workloads, candidates)
        for (const c of candidates) {
          const on = places.filter((p) => p.machineId === c.machine.id).map((p) => p.workload.spec)
          if (on.length === 0) continue
          const sum = (of: (spec: Workload['spec']) => number) => on.reduce((total, spec) => total + of(spec), 0)
          expect(sum((s) => s.cpus) + c.use.cpus).toBeLessThanOrEqual(c.machine.inventory?.cpus ?? 0)
          expect(sum((s) => s.memoryBytes)).toBeLessThanOrEqual(c.machine.inventory?.memoryBytes ?? 0)
          const free = c.machine.inventory?.devices.filter((d) => d.state === 'free').length ?? 0
          expect(sum((s) => s.gpu?.count ?? 0)).toBeLessThanOrEqual(free)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('never relaxes a pin, and never puts who asks for a GPU on a machine that would give none', () => {
    fc.assert(
      fc.property(queue, machines, (workloads, candidates) => {
        for (const { workload, machineId } of placedIn(workloads, candidates).places) {
          if (workload.workspaceMachineId !== null) expect(machineId).toBe(workload.workspaceMachineId)
          const target = candidates.find((c) => c.machine.id === machineId) ?? expect.fail()
          const ask = askOf({ ...workload.spec }, { kind: workload.kind, pinnedMachineId: workload.workspaceMachineId })
          const { fit } = checkPlacement(ask, target)
          expect(fit?.devices.length).toBe(workload.spec.gpu?.count ?? 0)
          expect(fit?.placedClass === null).toBe(workload.spec.gpu === null)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('L10: one that nobody can serve changes nothing for the others', () => {
    fc.assert(
      fc.property(queue, machines, fc.integer({ min: 0, max: 90 }), (workloads, candidates, minutes) => {
        const impossible = queuedOf({ cpus: 500, memory: 1, gpus: 0, model: '', allowFallbacks: false, pin: null, minutes })
        const places = (all: readonly Workload[]) => placedIn(all, candidates).places.map((p) => [p.workload.id, p.machineId])
        const withIt = placedIn([impossible, ...workloads], candidates)
        expect(withIt.steps.some((s) => s.kind === 'wait' && s.workload.id === impossible.id)).toBe(true)
        expect(withIt.places.length).toBe(places(workloads).length)
      }),
      { numRuns: 300 },
    )
  })
})

describe('one that has waited for half an hour', () => {
  const box = (usedCpus: number) => [candidateOf(machineOf('box'), { cpus: usedCpus })]
  const asks = (name: string, cpus: number, minutes: number) => ({
    ...queuedOf({ cpus, memory: 1, gpus: 0, model: '', allowFallbacks: false, pin: null, minutes }),
    name,
  })
  const brief = (workloads: Workload[], candidates: Candidate[]) =>
    placedIn(workloads, candidates).steps.map((s) => ('workload' in s ? `${s.kind} ${s.workload.name} ${s.reason.code}` : s.kind))
  const old = LIMITS.starvingMinutes

  it('gets what becomes free: smaller ones do not take it piece by piece', () => {
    const waits = [asks('large', 6, old), asks('small', 2, 0)]
    expect(brief(waits, box(4))).toEqual(['wait large waiting_cpu', 'wait small waiting_reserved'])
    expect(brief(waits, box(2))).toEqual(['place large placed', 'wait small waiting_cpu'])
    expect(brief(waits, box(0))).toEqual(['place large placed', 'place small placed'])
  })

  it('keeps nothing before that', () => {
    expect(brief([asks('large', 6, old - 1), asks('small', 2, 0)], box(4))).toEqual([
      'wait large waiting_cpu',
      'place small placed',
    ])
  })

  it('keeps nothing when no machine could ever take it', () => {
    expect(brief([asks('huge', 64, 600), asks('small', 2, 0)], box(4))).toEqual(['wait huge waiting_cpu', 'place small placed'])
  })

  it('keeps one machine, not all of them', () => {
    const two = [...box(4), candidateOf(machineOf('other'), { cpus: 4 })]
    expect(brief([asks('large', 6, old), asks('small', 2, 0)], two)).toEqual(['wait large waiting_cpu', 'place small placed'])
  })
})
