import { expect, it } from 'vitest'
import { isAllowed, SHARE_LEVELS } from '@/domain/permissions'
import { candidates, isHeldBack } from './share-words'

const person = (userId: string, name: string, role = 'member') => ({ userId, name, role, email: `${userId}@example.org` })
const people = [person('u1', 'Mara'), person('u2', 'Tom'), person('u3', 'Ines')]

it('offers everyone and each person once, never the owner', () => {
  expect(candidates(people, [], 'u1').map(({ value }) => value)).toEqual(['everyone', 'u3', 'u2'])
  expect(candidates(people, [{ userId: null }, { userId: 'u3' }], 'u1').map(({ value }) => value)).toEqual(['u2'])
})

it('says of exactly those shares that a viewer gets less, of which the permissions say so', () => {
  for (const level of SHARE_LEVELS) {
    const isLess = isAllowed('member', level, 'workload.open') && !isAllowed('viewer', level, 'workload.open')
    expect(isHeldBack(level, 'viewer')).toBe(isLess)
    expect(isHeldBack(level, 'member')).toBe(false)
  }
})
