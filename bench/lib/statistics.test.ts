import { expect, it } from 'vitest'
import { formatLine, isMet } from './line'
import { interleave, median, percentile } from './statistics'

it('takes percentiles between the closest ranks', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(percentile([1, 2, 3, 4], 95)).toBeCloseTo(3.85)
  expect(percentile([7], 95)).toBe(7)
  expect(() => median([])).toThrow()
})

it('takes both sides in turn', async () => {
  const order: string[] = []
  const side = (name: string) => async () => order.push(name)
  expect(await interleave(2, { a: side('a'), b: side('b') })).toEqual({ a: [1, 3], b: [2, 4] })
  expect(order).toEqual(['a', 'b', 'a', 'b'])
})

it('compares a number with its goal as it is printed', () => {
  const line = { name: 'x', value: 500.4, unit: 'ms', goal: '<=500' }
  expect(formatLine(line)).toBe('x 500 ms <=500')
  expect(isMet(line)).toBe(true)
  expect(isMet({ ...line, value: 501 })).toBe(false)
  expect(isMet({ ...line, value: 1.1, goal: '>=1.1' })).toBe(true)
  expect(isMet({ ...line, value: 1.09, goal: '>=1.1' })).toBe(false)
  expect(isMet({ ...line, goal: '-' })).toBeNull()
})
