import { describe, expect, it } from 'vitest'
import type { Funnel } from '@/domain/placement'
import { because, type Reason } from '@/domain/reasons'
import { machinesText, verdictOf } from './verdict'

const machine = (name: string, droppedBy: Funnel['machines'][number]['droppedBy'] = null) => ({
  machineId: name,
  name,
  droppedBy,
  detail: '',
})
const funnel = (reason: Reason, patch: Partial<Funnel> = {}): Funnel => ({
  machines: [],
  rows: [],
  chosen: null,
  reason,
  suggestions: [],
  queue: null,
  ...patch,
})
const chosen = { machineId: 'atlas', name: 'atlas', driver: 'process-sandboxed', placedClass: null, devices: [] }
const fits = because('fits_now', { machine: 'atlas' })
const GIB = 2 ** 30

describe('verdictOf', () => {
  it('names the machine, or says how many would do', () => {
    expect(verdictOf(funnel(fits, { chosen, machines: [machine('atlas')] })).short).toBe('Starts on atlas')
    expect(verdictOf(funnel(fits, { chosen, machines: [machine('atlas'), machine('rack-1')] })).short).toBe('Starts on any of 2')
  })

  it('tells a wait that ends by itself from one that does not', () => {
    const busy = because('waiting_all_busy', { class: 'l40s-48gb', devices: 2, free: 1, machines: 3, position: 2 })
    expect(verdictOf(funnel(busy))).toMatchObject({ short: 'Waits, 1 free', tone: 'wait' })
    expect(verdictOf(funnel(because('waiting_cpu', { asked: 4, free: 1, total: 8 })))).toMatchObject({
      short: 'Waits, 1 CPU free',
      tone: 'wait',
    })
    const large = because('waiting_memory', { askedBytes: 64 * GIB, freeBytes: GIB, totalBytes: 16 * GIB })
    expect(verdictOf(funnel(large))).toMatchObject({ short: 'Largest has 16 GiB', tone: 'ink-2' })
    expect(verdictOf(funnel(because('waiting_no_gpus', { machines: 1 })))).toMatchObject({
      short: 'No machine has a GPU',
      tone: 'ink-2',
    })
  })

  it('says no number that was stripped', () => {
    expect(verdictOf(funnel({ code: 'waiting_memory', args: { askedBytes: GIB } })).short).toBe('Waits for memory')
  })
})

it('counts machines by what stopped them', () => {
  const rows: Funnel['rows'] = [
    { filter: 'online', asked: 'now', left: 2, dropped: 1, machines: [] },
    { filter: 'gpu_class', asked: 'any', left: 1, dropped: 2, machines: [] },
  ]
  const machines = [machine('a'), machine('b', 'online'), machine('c', 'gpu_class'), machine('d', 'gpu_class')]
  expect(machinesText(funnel(fits, { chosen, machines, rows }))).toEqual([
    '1 machine fits',
    '1 not usable now',
    '2 without the GPU class',
  ])
})

it('says folders where folders are what is missing, and sharing elsewhere', () => {
  const rows: Funnel['rows'] = [{ filter: 'sharing', asked: 'yours', left: 0, dropped: 1, machines: [] }]
  const machines = [machine('atlas', 'sharing')]
  expect(machinesText(funnel(because('waiting_folders', {}), { machines, rows }))).toEqual(['1 without these folders'])
  expect(machinesText(funnel(because('waiting_not_shared', {}), { machines, rows }))).toEqual(['1 not shared with you'])
})
