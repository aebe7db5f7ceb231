import { describe, expect, it } from 'vitest'
import type { Isolation } from './drivers'
import { DRIVERS, ISOLATIONS, isIsolationEnough } from './drivers'

describe('the trust matrix', () => {
  it.each<[Isolation, boolean, boolean, boolean]>([
    ['none', true, false, false],
    ['sandbox', true, true, false],
    ['container', true, true, false],
    ['cluster', false, true, true],
    ['vm', true, true, true],
  ])(
    'N9: lets %s run on: own machine %s, other’s for a trusted tenant %s, for an untrusted one %s',
    (...[isolation, own, trusted, un]) => {
      expect(isIsolationEnough(isolation, true, 'trusted')).toBe(own)
      expect(isIsolationEnough(isolation, true, 'untrusted')).toBe(own)
      expect(isIsolationEnough(isolation, false, 'trusted')).toBe(trusted)
      expect(isIsolationEnough(isolation, false, 'untrusted')).toBe(un)
    },
  )

  it('N8, N9: knows the isolation of every driver, and calls a plain process what it is', () => {
    for (const row of Object.values(DRIVERS)) expect(ISOLATIONS).toContain(row.isolation)
    expect(DRIVERS['process-plain'].isolation).toBe('none')
    expect(DRIVERS.sim.isolation).toBe('none')
  })
})
