import { describe, expect, it } from 'vitest'
import { LIMITS } from '@/domain/limits'
import { CATALOG, candidateOf, machineOf, NOW, TENANT } from '@/testing/candidates'
import { workloadOf } from '@/testing/workloads'
import type { Stray } from './facts'
import { plan } from './plan'
import type { Step } from './step'
import { ago, brief, factOf, factsOf, type Given, planned } from './testing/plan-facts'

const BOOT_1 = { placement: { bootId: 'boot-1' } }
const ABSENT = { status: 'absent' as const, hasWorkspace: false }
const BACK = { bootId: 'boot-2' }

/** Store, machine, action: the lines of the design's table that are about a workload's own instance. */
const OWN: [string, Given, string[]][] = [
  ['provisioning | absent, start not yet acknowledged | start again', { seen: { ...ABSENT, acked: null } }, ['start placed']],
  ['provisioning | absent, start acknowledged, same boot | queued', { ...BOOT_1, seen: ABSENT }, ['retry retry_vanished']],
  [
    'provisioning | absent, start acknowledged, new boot | queued',
    { ...BOOT_1, seen: { ...ABSENT, ...BACK } },
    ['retry retry_vanished'],
  ],
  [
    'provisioning | absent, start acknowledged, attempts spent | failed',
    { ...BOOT_1, workload: { attempts: LIMITS.startAttempts - 1 }, seen: ABSENT },
    ['settle failed attempts_spent'],
  ],
  [
    'provisioning | stopped with all of Berth | queued, which does not speak against the machine',
    { ...BOOT_1, seen: { status: 'stopped', code: 'ended_with_berth' } },
    ['retry ended_with_berth'],
  ],
  [
    'provisioning | stopped, the workspace it resumed from is gone | lost',
    { ...BOOT_1, workload: { workspaceMachineId: 'box' }, seen: { status: 'stopped', hasWorkspace: false } },
    ['settle lost workspace_gone'],
  ],
  ...(['running', 'paused'] as const).flatMap((state): [string, Given, string[]][] => [
    [
      `${state} | stopped, new boot, workspace there | parked, then policy`,
      { ...BOOT_1, workload: { state }, seen: { status: 'stopped', ...BACK } },
      ['reboot machine_rebooted'],
    ],
    [
      `${state} | not listed, new boot, workspace there by the store | parked, then policy`,
      { ...BOOT_1, workload: { state, workspaceMachineId: 'box' }, seen: { ...ABSENT, ...BACK } },
      ['reboot machine_rebooted'],
    ],
    [
      `${state} | stopped, new boot, workspace gone | lost`,
      { ...BOOT_1, workload: { state, workspaceMachineId: 'box' }, seen: { status: 'stopped', hasWorkspace: false, ...BACK } },
      ['settle lost machine_lost_it'],
    ],
    [
      `${state} | absent, same boot | lost`,
      { ...BOOT_1, workload: { state, workspaceMachineId: 'box' }, seen: ABSENT },
      ['settle lost machine_lost_it'],
    ],
    [
      `${state} | stopped with all of Berth, same boot, workspace there | parked, then policy`,
      { ...BOOT_1, workload: { state }, seen: { status: 'stopped', code: 'ended_with_berth' } },
      ['reboot ended_with_berth'],
    ],
    [
      `${state} | stopped with all of Berth, workspace gone | lost`,
      { ...BOOT_1, workload: { state }, seen: { status: 'stopped', code: 'ended_with_berth', hasWorkspace: false } },
      ['settle lost machine_lost_it'],
    ],
    [
      `${state} | stopped, same boot, nobody asked | lost, the workspace noted`,
      { ...BOOT_1, workload: { state }, seen: { status: 'stopped' } },
      ['settle lost machine_lost_it'],
    ],
  ]),
  [
    'parking | not listed, new boot, workspace there | parked, and not started again',
    { ...BOOT_1, workload: { state: 'parking', workspaceMachineId: 'box' }, seen: { ...ABSENT, ...BACK } },
    ['settle parked machine_rebooted'],
  ],
  [
    'parking | absent, same boot | lost',
    { ...BOOT_1, workload: { state: 'parking', workspaceMachineId: 'box' }, seen: ABSENT },
    ['settle lost machine_lost_it'],
  ],
  ['provisioning | listed, same placement | adopted', {}, ['settle running started']],
  [
    'running | listed, same placement | adopted',
    { workload: { state: 'running' }, seen: { status: 'paused' } },
    ['settle paused frozen'],
  ],
  [
    'paused | listed, same placement | adopted',
    { workload: { state: 'paused' }, seen: { status: 'running' } },
    ['settle running thawed'],
  ],
  ['parking | listed, same placement | the stop goes on', { workload: { state: 'parking' } }, ['end park parked']],
  ['removing | listed, same placement | the stop goes on', { workload: { state: 'removing' } }, ['end remove removed']],
  [
    'removing | absent | removed',
    { workload: { state: 'removing' }, seen: { ...ABSENT, acked: 'remove' } },
    ['settle removed removed'],
  ],
  [
    'removing | listed, its driver is not offered any more | removed for the person',
    { workload: { state: 'removing' }, placement: { driver: 'docker' } },
    ['settle removed removed_without_driver'],
  ],
  ['failed | listed, look not over | kept', { workload: { state: 'failed', stateSince: ago(899) } }, []],
  [
    'failed | listed, proven to have no process any more | its capacity is free at once',
    { workload: { state: 'failed' }, seen: { status: 'failed', code: 'process_ended', isGone: true } },
    ['end_look look_gone'],
  ],
  [
    'failed | listed, somebody looks longer | kept',
    { workload: { state: 'failed', stateSince: ago(5000), looksUntil: ago(-1) } },
    [],
  ],
  [
    'failed | listed, the longer look over | stopped',
    { workload: { state: 'failed', stateSince: ago(5000), looksUntil: ago(0) } },
    ['end_look look_ended'],
  ],
  ['failed | listed, look over | stopped', { workload: { state: 'failed', stateSince: ago(900) } }, ['end_look look_ended']],
]

describe('the reconcile table, of a workload’s own instance', () => {
  it.each(OWN)('%s', (...[, given, expected]) => {
    expect(planned(given)).toEqual(expected)
  })

  it('notes the workspace of what is lost, if it is there', () => {
    const lost = (hasWorkspace: boolean) =>
      plan(factsOf([factOf({ ...BOOT_1, workload: { state: 'running' }, seen: { status: 'stopped', hasWorkspace } })]))
    expect(lost(true)).toMatchObject([{ to: 'lost', hasWorkspace: true }])
    expect(lost(false)).toMatchObject([{ to: 'lost', hasWorkspace: false }])
  })
})

describe('a start that failed', () => {
  it.each([
    ['environment_failed', true],
    ['mount_refused', true],
    ['driver_missing', true],
    ['command_missing', true],
    ['start_failed', false],
    ['process_ended', false],
  ] as const)('%s gives its capacity back at once: %s', (code, isReleased) => {
    expect(plan(factsOf([factOf({ seen: { status: 'failed', code } })]))).toMatchObject([{ to: 'failed', isReleased }])
  })
})

const lost = { ...workloadOf({ state: 'lost', workloadGen: 2 }), id: 'w' }
const instance = { workloadId: 'w', placementId: 'p', workloadGen: 2, status: 'running' as const }
const asked = {
  placementId: 'p',
  workloadGen: 2,
  machine: { id: 'box', name: 'box', region: 'lab' },
  want: 'run' as const,
  ackedWant: 'run' as const,
  ackedAt: NOW,
  isReleased: true,
  epoch: 1,
}
const stray = (change: Partial<Stray>): Stray => ({ instance, asked, workload: null, ...change })

const STRAYS: [string, Stray, string[]][] = [
  ['unknown | listed | quarantine', stray({ asked: null }), []],
  ['newer than the store | listed | quarantine', stray({ instance: { ...instance, workloadGen: 3 } }), []],
  ['in use by the store | listed | left alone', stray({ asked: { ...asked, isReleased: false } }), []],
  ['lost | listed, its last placement | taken back', stray({ workload: lost }), ['take_back came_back']],
  [
    'lost | listed, its last placement, broken | destroyed',
    stray({ workload: lost, instance: { ...instance, status: 'failed' } }),
    ['end destroy stray_ended'],
  ],
  [
    "lost by its owner's word | listed, its last placement | destroyed",
    stray({ workload: lost, asked: { ...asked, want: 'destroy' } }),
    ['end destroy stray_ended'],
  ],
  ['lost | listed, started since | destroyed', stray({ workload: { ...lost, workloadGen: 3 } }), ['end destroy stray_ended']],
  [
    'other non-terminal | listed, released | destroyed',
    stray({ workload: { ...lost, state: 'queued' } }),
    ['end destroy stray_ended'],
  ],
  ['resting or terminal | listed | destroyed, workspace kept', stray({}), ['end destroy stray_ended']],
  ['deleted | listed | removed', stray({ asked: { ...asked, want: 'remove' } }), ['end remove stray_ended']],
]

describe('the reconcile table, of what is nobody’s instance', () => {
  it.each(STRAYS)('%s', (...[, given, expected]) => {
    expect(plan(factsOf([], { strays: [given] })).map(brief)).toEqual(expected)
  })
})

/** Does a machine end, start or change something because of it? */
const touchesMachine = (step: Step) =>
  ['place', 'start', 'freeze', 'end', 'end_look', 'retry', 'park_for'].includes(step.kind) ||
  (step.kind === 'settle' && (step.to === 'removed' || step.to === 'parking'))

describe('X36: an installation in quarantine', () => {
  it('ends, starts and removes nothing, whatever its rows and machines say', () => {
    const lines = [...OWN.map(([, given]) => factOf(given)), factOf({ workload: { state: 'queued' }, placement: null })]
    const facts = factsOf(lines, { strays: STRAYS.map(([, s]) => s), candidates: [candidateOf(machineOf('box'))] })
    expect(plan(facts).some(touchesMachine)).toBe(true)
    expect(plan({ ...facts, isQuarantined: true }).filter(touchesMachine)).toEqual([])
  })

  it('takes over what machines say, and tells who waits why', () => {
    expect(planned({}, { isQuarantined: true })).toEqual(['settle running started'])
    expect(planned({ workload: { state: 'queued' }, placement: null }, { isQuarantined: true })).toEqual([
      'wait waiting_quarantine',
    ])
  })
})

describe('X36: what runs and the store does not know', () => {
  const spec = { tenantId: TENANT, ownerId: TENANT, kind: 'session', runtime: 'shell', driver: 'sim', command: null } as const
  const sized = { cpus: 3, memoryBytes: 1, diskBytes: 1, devices: ['GPU-1'], requirements: [], mounts: [], python: null }
  const orphan = (workloadId: string, machineId = 'box') => ({
    instance: { workloadId, placementId: 'p', workloadGen: 9 },
    machineId,
    spec: { ...spec, ...sized },
    status: 'running',
    decision: null,
    firstSeenAt: NOW,
    lastSeenAt: NOW,
  })

  it('keeps its own workload from being started a second time', () => {
    const queued = factOf({ workload: { state: 'queued' }, placement: null })
    const facts = {
      candidates: [candidateOf(machineOf('box'))],
      trust: new Map([[TENANT, 'trusted' as const]]),
      catalog: CATALOG,
    }
    expect(plan(factsOf([queued], facts)).map(brief)).toEqual(['place placed'])
    expect(plan(factsOf([queued], { ...facts, orphans: [orphan(queued.workload.id)] })).map(brief)).toEqual([
      'wait waiting_orphan',
    ])
  })
})
