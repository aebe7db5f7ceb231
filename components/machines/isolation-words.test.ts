import { expect, it } from 'vitest'
import { inventoryOf } from '@/testing/candidates'
import { isUnisolated, runsUnisolated, sandboxFix } from './isolation-words'

const FIX = 'sudo apt install bubblewrap'
const broken = inventoryOf().drivers.map((d) =>
  d.row === 'process-sandboxed' ? { ...d, works: false, detail: 'bubblewrap is missing', fix: FIX } : d,
)

it.each([
  ['process-sandboxed', false],
  ['kubernetes', false],
  ['process-plain', true],
  ['sim', true],
  ['something-new', true],
])('a workload on %s can read what Berth stores: %s', (driver, isOpen) => expect(isUnisolated(driver)).toBe(isOpen))

it('warns of a machine only when it has nothing better that works, with the line that helps', () => {
  expect([runsUnisolated(inventoryOf()), sandboxFix(inventoryOf())]).toEqual([false, null])
  expect([runsUnisolated({ drivers: broken }), sandboxFix({ drivers: broken })]).toEqual([true, FIX])
  expect(runsUnisolated({ drivers: [] })).toBe(false)
})
