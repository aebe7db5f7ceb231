import { v7 as uuidv7 } from 'uuid'
import type { PlacedWorkload } from '@/backends/backend'
import { NO_SETTINGS, type Placement, type Workload } from '@/domain/workloads'
import { askOf, NOW, PERSON, TENANT } from './candidates'

/** A workload as the store would give it: queued, a small notebook of the tenant's own person. */
export function workloadOf(change: Partial<Workload> = {}): Workload {
  return {
    id: uuidv7(),
    tenantId: TENANT,
    ownerId: PERSON,
    ownerName: 'Mara',
    kind: 'session',
    name: 'test',
    label: 'a'.repeat(26),
    state: 'queued',
    reason: null,
    reasonAt: null,
    version: 1,
    workloadGen: 0,
    attempts: 0,
    nextTryAt: null,
    spec: askOf({ runtime: 'shell' }).spec,
    settings: NO_SETTINGS,
    lastBusyAt: null,
    stopAt: null,
    stopWhy: null,
    looksUntil: null,
    progress: null,
    exitCode: null,
    placement: null,
    workspaceMachineId: null,
    stateSince: NOW,
    createdAt: NOW,
    lastOpenedAt: null,
    ...change,
  }
}

export function placementOf(workload: Workload, change: Partial<Placement> = {}): Placement {
  return {
    id: uuidv7(),
    workloadId: workload.id,
    workloadGen: workload.workloadGen,
    machineId: 'box',
    machineName: 'box',
    driver: 'sim',
    placedClass: null,
    devices: [],
    cpus: workload.spec.cpus,
    memoryBytes: workload.spec.memoryBytes,
    diskBytes: workload.spec.diskBytes,
    want: 'run',
    bootId: null,
    ackedAt: null,
    needsRestart: false,
    createdAt: NOW,
    releasedAt: null,
    ...change,
  }
}

/** A workload in `provisioning` with a placement of its own. */
export function placedOf(change: Partial<Workload> = {}, placement: Partial<Placement> = {}): PlacedWorkload {
  const workload = workloadOf({ state: 'provisioning', workloadGen: 1, ...change })
  return { ...workload, placement: placementOf(workload, placement) }
}
