import { v7 } from 'uuid'
import type { Action } from '@/domain/permissions'
import { createInput } from '@/testing/seed'
import type { World } from './tenancy-world'

/**
 * One row for each procedure. `input` names something of the owner's tenant; `random` is the same question about something
 * that does not exist. `own`: there is no id to ask with, so a stranger gets their own and nothing of the owner's.
 */
export type Row = {
  asks: 'foreign' | 'own' | 'nothing'
  input?: (world: World) => unknown
  random?: () => unknown
  may: May
}
/**
 * Who may within the tenant. On a workload: the action that the table of permissions knows, and how to ask it. Otherwise
 * everybody, everybody but viewers, the owner of a machine (and the operator), or the operator alone.
 */
export type May =
  | { action: Action; input: (workloadId: string) => unknown }
  | 'everybody'
  | 'creators'
  | 'machine-owner'
  | 'operator'

const byId = (pick: (world: World) => string, more: Record<string, unknown> = {}): Omit<Row, 'may'> => ({
  asks: 'foreign',
  input: (world) => ({ id: pick(world), ...more }),
  random: () => ({ id: v7(), ...more }),
})
const onWorkload = (action: Action, pick: (world: World) => string, more: Record<string, unknown> = {}): Row => ({
  ...byId(pick, more),
  may: { action, input: (id) => ({ id, ...more }) },
})
/** The same for procedures that call it `workloadId`. */
const ofWorkload = (action: Action, pick: (world: World) => string, more: Record<string, unknown> = {}): Row => ({
  asks: 'foreign',
  input: (world) => ({ workloadId: pick(world), ...more }),
  random: () => ({ workloadId: v7(), ...more }),
  may: { action, input: (workloadId) => ({ workloadId, ...more }) },
})
const ofOrphan = (pick: (world: World) => string): Row => ({
  asks: 'foreign',
  input: (world) => ({ machineId: world.machine.id, placementId: pick(world) }),
  random: () => ({ machineId: v7(), placementId: v7() }),
  may: 'machine-owner',
})
const own = (input?: (world: World) => unknown): Row => ({ asks: 'own', may: 'everybody', ...(input ? { input } : {}) })
const nobody: Row = { asks: 'nothing', may: 'everybody' }

/** Every procedure of the API. One that is missing here fails the test. */
export const MATRIX: Record<string, Row> = {
  'setup.status': nobody,
  'setup.create': nobody,
  'tokens.signIn': nobody,
  'me.get': own(),
  'me.setTheme': own(() => ({ theme: 'dark' })),
  'me.changePassword': { ...own(), asks: 'nothing' },
  'members.list': own(),
  'tokens.list': own(),
  'tokens.create': { ...own(), asks: 'nothing' },
  'tokens.revoke': { ...byId((w) => w.owner.tokenId), may: 'everybody' },
  'tokens.end': { ...own(), asks: 'nothing' },
  'signIns.list': own(),
  'signIns.revoke': { ...byId((w) => w.owner.signInId), may: 'everybody' },
  'signIns.revokeOthers': own(),
  'workloads.create': {
    asks: 'foreign',
    input: (w) => createInput({ spec: { machineId: w.machine.id } }),
    random: () => createInput({ spec: { machineId: v7() } }),
    may: 'creators',
  },
  'workloads.get': onWorkload('workload.view', (w) => w.workloads.running),
  'workloads.list': own((w) => ({ ended: true, text: 'canary', cursor: w.workloads.waiting })),
  'workloads.counts': own(),
  'workloads.events': onWorkload('workload.view', (w) => w.workloads.running),
  'workloads.starts': onWorkload('workload.view', (w) => w.workloads.running),
  'workloads.watch': onWorkload('workload.view', (w) => w.workloads.running),
  'workloads.use': onWorkload('workload.view', (w) => w.workloads.running),
  'workloads.latestUse': own((w) => ({ ids: [w.workloads.running, w.workloads.renamed] })),
  'workloads.open': onWorkload('workload.open', (w) => w.workloads.renamed),
  'workloads.export': onWorkload('workload.view', (w) => w.workloads.running),
  'workloads.why': onWorkload('workload.view', (w) => w.workloads.queued),
  'workloads.fit': own((w) => ({ kind: 'session', spec: createInput({ spec: { machineId: w.machine.id } }).spec })),
  'workloads.keep': onWorkload('workload.operate', (w) => w.workloads.renamed),
  'workloads.setSettings': onWorkload('workload.settings', (w) => w.workloads.renamed, { settings: { idleMinutes: 60 } }),
  'workloads.setRequirements': onWorkload('workload.packages', (w) => w.workloads.notebook, { requirements: ['numpy>=2'] }),
  'workloads.pause': onWorkload('workload.operate', (w) => w.workloads.pausing),
  'workloads.park': onWorkload('workload.operate', (w) => w.workloads.running),
  'workloads.resume': onWorkload('workload.operate', (w) => w.workloads.parked),
  'workloads.extendLook': onWorkload('workload.operate', (w) => w.workloads.failed, { minutes: 60 }),
  'workloads.restart': onWorkload('workload.operate', (w) => w.workloads.failed),
  'workloads.recover': onWorkload('workload.operate', (w) => w.workloads.lost),
  'workloads.rename': onWorkload('workload.settings', (w) => w.workloads.renamed, { name: 'taken-over' }),
  'workloads.ticket': ofWorkload('workload.open', (w) => w.workloads.renamed, { purpose: 'http' }),
  'shares.list': ofWorkload('workload.share', (w) => w.workloads.renamed),
  'shares.set': ofWorkload('workload.share', (w) => w.workloads.renamed, { userId: null, level: 'view' }),
  'shares.remove': ofWorkload('workload.share', (w) => w.workloads.renamed, { userId: null }),
  'workloads.delete': onWorkload('workload.delete', (w) => w.workloads.doomed),
  'machines.list': own(),
  'machines.get': { ...byId((w) => w.machine.id), may: 'everybody' },
  'machines.setMountRoots': { ...byId((w) => w.machine.id, { roots: ['/home'] }), may: 'machine-owner' },
  'machines.clearSuspect': { ...byId((w) => w.machine.id), may: 'machine-owner' },
  'machines.gone': { ...byId((w) => w.goneMachineId), may: 'machine-owner' },
  'machines.adopt': ofOrphan((w) => w.orphans.adopted),
  'machines.stopOrphan': ofOrphan((w) => w.orphans.stopped),
  'catalog.get': own(),
  'system.info': own(),
  'system.health': own(),
  'system.leaveQuarantine': { ...own(), asks: 'nothing', may: 'operator' },
  'live.changes': own(),
}
