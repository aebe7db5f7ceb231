import { describe, expect, it } from 'vitest'
import { LIMITS } from '@/domain/limits'
import { AddressTries } from './address-tries'

describe('wrong passwords from one address', () => {
  it('A2: cost no more than a minute, and nothing to other addresses', () => {
    const tries = new AddressTries()
    const at = (seconds: number) => new Date(1_000_000 + seconds * 1000)
    for (let count = 0; count < LIMITS.signInFailuresPerAddress; count++) {
      tries.require('here', at(count / 10))
      tries.note('here', at(count / 10))
    }
    expect(() => tries.require('here', at(20))).toThrow('; try again in 40 s')
    tries.require('there', at(20))
    tries.require('here', at(60.1))
  })

  it('are kept for a bounded number of addresses', () => {
    const tries = new AddressTries()
    const at = new Date(0)
    for (let count = 0; count < LIMITS.signInFailuresPerAddress; count++) tries.note('first', at)
    for (let count = 0; count < 10_000; count++) tries.note(`other ${count}`, at)
    tries.require('first', at)
  })
})
