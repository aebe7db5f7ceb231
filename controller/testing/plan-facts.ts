import type { Observation } from '@/backends/backend'
import type { Machine } from '@/domain/machines'
import type { Placement, Workload } from '@/domain/workloads'
import { CATALOG, machineOf, NOW } from '@/testing/candidates'
import { placedOf } from '@/testing/workloads'
import type { Facts, WorkloadFact } from '../facts'
import { plan } from '../plan'
import type { Step } from '../step'

export const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000)

export const ageMs = (since: Date) => NOW.getTime() - since.getTime()

/** A fact by what differs from a provisioning workload that its machine, in boot-1, shows as running. */
export type Given = {
  workload?: Partial<Workload>
  placement?: Partial<Placement> | null
  seen?: Partial<Observation>
  machine?: Partial<Machine> | null
  progressAt?: Date
}

export function factOf({ workload: change, placement, seen, machine, progressAt }: Given): WorkloadFact {
  const placed = placedOf(change, placement ?? {})
  const workload = placement === null ? { ...placed, placement: null } : placed
  const observation: Observation = {
    workloadId: placed.id,
    placementId: placed.placement.id,
    workloadGen: placed.workloadGen,
    status: 'running',
    code: 'ok',
    subject: null,
    progress: null,
    exitCode: null,
    hasWorkspace: true,
    bootId: 'boot-1',
    acked: 'run',
    ...seen,
  }
  return {
    workload,
    observation: placement === null ? null : observation,
    machine: machine === null ? null : machineOf('box', machine),
    progressAt: progressAt ?? workload.stateSince,
  }
}

export function factsOf(workloads: readonly WorkloadFact[], change: Partial<Facts> = {}): Facts {
  const known = {
    candidates: [],
    orphans: [],
    strays: [],
    trust: new Map(),
    catalog: CATALOG,
    warningsMissing: new Map(),
    recentUse: new Map(),
    ageMs,
  }
  return { now: NOW, workloads, isQuarantined: false, ...known, ...change }
}

/** The steps for one workload, as a table reads them. */
export const planned = (given: Given, change: Partial<Facts> = {}) => plan(factsOf([factOf(given)], change)).map(brief)

/** A step as a table reads it: what is done, how, and for which reason. */
export function brief(step: Step): string {
  const how = step.kind === 'settle' ? step.to : step.kind === 'end' || step.kind === 'freeze' ? step.how : null
  return [step.kind, how, step.reason.code].filter((w) => w !== null).join(' ')
}
