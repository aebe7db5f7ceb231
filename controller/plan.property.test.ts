import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Observation } from '@/backends/backend'
import { canMove, isTerminal, STATE_NAMES, STATES } from '@/domain/states'
import { WANTS } from '@/domain/workloads'
import { CATALOG, candidateOf, machineOf, NOW } from '@/testing/candidates'
import { placedOf } from '@/testing/workloads'
import type { Facts, WorkloadFact } from './facts'
import { plan } from './plan'
import type { Step } from './step'
import { ageMs } from './testing/plan-facts'

const STATUSES = ['unknown', 'absent', 'starting', 'running', 'paused', 'stopping', 'stopped', 'removed', 'failed'] as const
const CODES = [
  'ok',
  'no_capacity',
  'driver_missing',
  'workspace_missing',
  'no_python',
  'environment_failed',
  'start_failed',
] as const
const MORE_CODES = ['process_ended', 'out_of_memory', 'disk_full', 'stop_forced'] as const

const observed = fc.record({
  status: fc.constantFrom(...STATUSES),
  code: fc.constantFrom(...CODES, ...MORE_CODES),
  exitCode: fc.option(fc.integer({ min: -1, max: 255 })),
  hasWorkspace: fc.boolean(),
  acked: fc.option(fc.constantFrom(...WANTS)),
  bootId: fc.constantFrom('boot-1', 'boot-2'),
})

const fact = fc
  .record({
    state: fc.constantFrom(...STATE_NAMES),
    kind: fc.constantFrom('notebook' as const, 'session' as const),
    attempts: fc.integer({ min: 0, max: 4 }),
    ageSeconds: fc.integer({ min: 0, max: 2000 }),
    observed,
    isConnected: fc.boolean(),
    hasMachine: fc.boolean(),
    hasPlacement: fc.boolean(),
  })
  .map((r): WorkloadFact => {
    const stateSince = new Date(NOW.getTime() - r.ageSeconds * 1000)
    const placed = placedOf({ state: r.state, kind: r.kind, attempts: r.attempts, stateSince })
    const isPlaced = STATES[r.state].placed === 'yes' || (STATES[r.state].placed === 'maybe' && r.hasPlacement)
    const { id, placement } = placed
    const seen: Observation = {
      ...r.observed,
      workloadId: id,
      placementId: placement.id,
      workloadGen: 1,
      subject: null,
      progress: null,
    }
    const machine = machineOf('box', { isConnected: r.isConnected, lastContactAt: stateSince })
    return {
      workload: isPlaced ? placed : { ...placed, placement: null },
      observation: isPlaced ? seen : null,
      machine: isPlaced && r.hasMachine ? machine : null,
      progressAt: stateSince,
    }
  })

const facts = fc.array(fact, { maxLength: 6 }).map(
  (workloads): Facts => ({
    now: NOW,
    workloads,
    strays: [],
    orphans: [],
    recentUse: new Map(),
    isQuarantined: false,
    warningsMissing: new Map(),
    ageMs,
    candidates: [candidateOf(machineOf('box'))],
    trust: new Map([[machineOf('box').tenantId, 'trusted']]),
    catalog: CATALOG,
  }),
)

/** Where a step would move its workload. */
function target(step: Step) {
  if (step.kind === 'settle') return step.to
  if (step.kind === 'place') return 'provisioning'
  if (step.kind === 'retry') return 'queued'
  if (step.kind === 'reboot') return 'parked'
  if (step.kind === 'take_back') return 'running'
  return null
}

describe('a plan on any facts', () => {
  it('never has a move that the table of states forbids', () => {
    fc.assert(
      fc.property(facts, (f) => {
        for (const step of plan(f)) {
          const to = target(step)
          if (to && 'workload' in step)
            expect([step.workload.state, to, canMove(step.workload.state, to)]).toEqual([step.workload.state, to, true])
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('never touches a workload that has ended, and moves each at most once', () => {
    fc.assert(
      fc.property(facts, (f) => {
        const moved = plan(f).filter((step) => target(step) !== null)
        const ids = moved.flatMap((step) => ('workload' in step ? [step.workload.id] : []))
        expect(new Set(ids).size).toBe(ids.length)
        for (const step of plan(f)) if ('workload' in step) expect(isTerminal(step.workload.state)).toBe(false)
      }),
    )
  })

  it('I9: never declares anything from silence', () => {
    fc.assert(
      fc.property(facts, (f) => {
        const silent = { ...f, workloads: f.workloads.filter((w) => w.observation?.status === 'unknown' && w.machine) }
        for (const step of plan(silent)) expect([step.kind, step.reason.code]).toEqual(['settle', 'removed_later'])
      }),
    )
  })

  it('never asks twice for the same end of one instance in one pass', () => {
    fc.assert(
      fc.property(facts, (f) => {
        const ends = plan(f).flatMap((step) => (step.kind === 'end' ? [step.instance.placementId] : []))
        expect(new Set(ends).size).toBe(ends.length)
      }),
    )
  })
})
