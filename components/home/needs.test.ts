import { describe, expect, it } from 'vitest'
import { because } from '@/domain/reasons'
import type { MachineView, WorkloadView } from '@/domain/views'
import { inventoryOf } from '@/testing/candidates'
import { machineViewOf } from '@/testing/machine-view'
import { viewOf } from '@/testing/workload-view'
import { needsOf } from './needs'
import { changedToday, summaryText } from './summary'

const AT = new Date(Date.UTC(2026, 2, 12, 14, 36))

const workload = (patch: Partial<WorkloadView>): WorkloadView =>
  viewOf({ id: 'w', name: 'segment-train', stateSince: AT, createdAt: AT, ...patch })

const NOW = AT.getTime()

const machine = (patch: Partial<MachineView> = {}): MachineView =>
  machineViewOf('atlas', { id: 'm', inventory: null, lastContactAt: AT, createdAt: AT, ...patch })

const placement = {
  id: 'p',
  workloadId: 'w',
  workloadGen: 1,
  machineId: 'm',
  machineName: 'atlas',
  driver: 'process-sandboxed',
  placedClass: null,
  devices: [],
  cpus: 1,
  memoryBytes: 1,
  diskBytes: 1,
  want: 'run',
  bootId: null,
  ackedAt: null,
  needsRestart: false,
  createdAt: AT,
  releasedAt: null,
} as const

describe('needsOf', () => {
  it('asks for nothing while everything goes on by itself', () => {
    const busy = because('waiting_all_busy', { class: 'l4-24gb', devices: 1, free: 0, machines: 1, position: 1 })
    expect(
      needsOf([workload({}), workload({ state: 'queued', reason: busy }), workload({ state: 'parked' })], [machine()], NOW),
    ).toEqual([])
  })

  it('puts what failed before what waits for someone', () => {
    const stuck = workload({ id: '1', name: 'stuck', state: 'queued', reason: because('waiting_no_gpus', { machines: 1 }) })
    const failed = workload({ id: '2', name: 'broken', state: 'failed', reason: because('out_of_memory', {}) })
    expect(needsOf([stuck, failed], [], NOW).map((n) => [n.subject, n.actions[0]?.label])).toEqual([
      ['broken', 'Fix'],
      ['stuck', 'Why'],
    ])
  })

  it('says which machine has no sandbox, and the line that brings one', () => {
    const plain = { row: 'process-plain', works: true, canPause: false, detail: null, fix: null } as const
    const fix = 'apt install bubblewrap'
    const sandboxed = { ...plain, row: 'process-sandboxed', works: false, fix } as const
    const inventory = inventoryOf({ drivers: [sandboxed, plain] })
    expect(needsOf([], [machine({ inventory })], NOW)).toMatchObject([
      { subject: 'atlas', what: 'has no sandbox', detail: expect.stringContaining(fix), actions: [{ label: 'Review' }] },
    ])
  })

  it('speaks of a silent machine only when something of theirs is on it, and that nothing is stopped', () => {
    const silent = machine({ isConnected: false })
    expect(needsOf([], [silent], NOW)).toEqual([])
    expect(needsOf([workload({ placement })], [silent], NOW)[0]).toMatchObject({
      subject: 'atlas',
      what: 'is silent',
      detail: '1 of your workloads is there; nothing is stopped',
    })
  })

  it('tells an ended process from a failed one', () => {
    expect(needsOf([workload({ exitCode: 0 })], [], NOW)[0]).toMatchObject({ tone: 'good', what: 'has ended' })
    expect(needsOf([workload({ exitCode: 137 })], [], NOW)[0]).toMatchObject({ tone: 'warn', what: 'ended with exit code 137' })
  })
})

describe('a stop that is near', () => {
  const MINUTE = 60_000
  const may = ['workload.operate'] as const
  const idle = (minutes: number, patch: Partial<WorkloadView> = {}) =>
    workload({
      may,
      stopAt: new Date(NOW + minutes * MINUTE),
      stopWhy: 'idle',
      lastBusyAt: new Date(NOW - 22 * MINUTE),
      ...patch,
    })
  const need = (w: WorkloadView) => needsOf([w], [], NOW)[0]

  it('offers to keep what is idle, and to park it now', () => {
    expect(need(idle(8))).toMatchObject({ what: 'parks in 8 min', detail: expect.stringContaining('22 min') })
    expect(need(idle(8))?.actions.map((a) => a.label)).toEqual(['Park now', 'Keep'])
  })

  it.each([
    ['a time limit', { stopWhy: 'limit' as const }, ['Park now', 'Look']],
    ['a schedule', { stopWhy: 'schedule' as const }, ['Park now', 'Look']],
    ['a person who may only see it', { may: ['workload.view'] as const }, ['Look']],
  ])('offers no Keep for %s', (_, patch, labels) => {
    expect(need(idle(8, patch))?.actions.map((a) => a.label)).toEqual(labels)
  })

  it('says nothing while it is far', () => expect(need(idle(50))).toBeUndefined())
})

it('asks what to do with what runs and is in no database, until it is decided', () => {
  const orphan = {
    ...{ placementId: 'p', workloadId: 'w', workloadGen: 1, kind: null, name: null },
    ...{ status: 'running', firstSeenAt: AT, decision: null },
  }
  expect(needsOf([], [machine({ orphans: [orphan] })], NOW)[0]?.what).toBe('runs 1 that the database does not know')
  expect(needsOf([], [machine({ orphans: [{ ...orphan, decision: 'stop' }] })], NOW)).toEqual([])
})

describe('the sentence under the title', () => {
  it('says what runs and what is coming', () => {
    const rows = [workload({}), workload({ state: 'queued' })]
    expect(summaryText(rows, [machine()])).toBe('1 running, 1 on its way. 1 of 1 machine can be reached.')
    expect(summaryText([workload({})], [])).toBe('1 running.')
    expect(summaryText([], [])).toBe('Nothing of yours runs now.')
  })
})

it('shows the changes since midnight, the newest first', () => {
  const [early, late, yesterday] = [1, 2, -1].map((hours) => ({ stateSince: new Date(AT.getTime() + hours * 3_600_000) }))
  if (!early || !late || !yesterday) throw new Error('expected three')
  expect(changedToday([early, yesterday, late], AT.getTime())).toEqual([late, early])
})
