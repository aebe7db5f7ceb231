import { describe, expect, it } from 'vitest'
import type { Inventory } from '@/domain/machines'
import { CATALOG, GIB, inventoryOf } from '@/testing/candidates'
import { isolationOf, limitsAbility, runtimeAbility, sizeAbility, strangersAbility } from './ability-words'

const [runtime] = CATALOG.runtimes
const [size] = CATALOG.sizes
if (!runtime || !size) throw new Error('the test catalog has both')
const offer = (patch: Partial<Inventory['runtimes'][number]>) =>
  inventoryOf({ runtimes: [{ runtime: runtime.id, works: true, detail: null, fix: null, ...patch }] })

describe('runtimeAbility', () => {
  it.each([
    ['ready', offer({}), { isReady: true, word: 'Ready', text: 'May reach every public address', fix: null }],
    [
      'not yet, with the line that helps',
      offer({ works: false, detail: 'needs Python 3.10 or later', fix: 'sudo apt install python3-venv' }),
      { isReady: false, word: 'Not yet', text: 'Needs Python 3.10 or later', fix: 'sudo apt install python3-venv' },
    ],
    [
      'unknown to the machine',
      inventoryOf({ runtimes: [] }),
      { isReady: false, word: 'Not yet', text: 'This machine did not look at it', fix: null },
    ],
  ])('%s', (_, inventory, ability) => expect(runtimeAbility(inventory, runtime)).toEqual(ability))
})

describe('limitsAbility', () => {
  const WHY = 'CPU and memory need a control group that the account of Berth may write'
  const all: Inventory['enforces'] = ['disk', 'pids', 'memory', 'cpu']
  it.each([
    [all, 'Enforced', 'All enforced'],
    [['memory'] as const, 'In part', `Enforced: memory. Not enforced: CPU, processes, disk. ${WHY}`],
    [['cpu', 'memory', 'pids'] as const, 'In part', 'Enforced: CPU, memory, processes. Not enforced: disk'],
    [[] as const, 'Watched', `Not enforced: CPU, memory, processes, disk. ${WHY}`],
  ])('%j is %s', (enforces, ...[word, text]) => expect(limitsAbility({ enforces: [...enforces] })).toMatchObject({ word, text }))
})

it('opens to strangers only what isolates them', () => {
  const only = (row: 'process-sandboxed' | 'kubernetes') =>
    strangersAbility({ drivers: [{ row, works: true, detail: null, fix: null, canPause: false }] })
  expect(only('process-sandboxed')).toMatchObject({ isReady: false, word: 'Not here' })
  expect(only('kubernetes')).toMatchObject({ isReady: true, word: 'Ready' })
})

it('names the isolation that placement would take: the first working driver of the runtime', () => {
  const plain = inventoryOf().drivers.map((d) => ({ ...d, works: d.row !== 'process-sandboxed' }))
  expect(isolationOf(inventoryOf(), runtime)).toBe('sandbox')
  expect(isolationOf({ drivers: plain }, runtime)).toBe('none')
  expect(isolationOf({ drivers: [] }, runtime)).toBeNull()
})

it('says what a machine has when a size is too large for it', () => {
  expect(sizeAbility(inventoryOf(), size).isReady).toBe(true)
  expect(sizeAbility(inventoryOf(), { ...size, cpus: 16, memoryBytes: 64 * GIB })).toMatchObject({
    isReady: false,
    text: 'has 8 CPUs, 32 GiB of memory',
  })
})
