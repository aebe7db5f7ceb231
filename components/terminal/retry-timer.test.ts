import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { RetryTimer } from './retry-timer'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('waits from 100 ms to 2 s, and begins anew after a connection that held', () => {
  const timer = new RetryTimer()
  const again = vi.fn()
  const waits = Array.from({ length: 7 }, () => timer.lost(again))
  expect(waits).toEqual([100, 200, 400, 800, 1600, 2000, 2000])
  timer.opened()
  vi.advanceTimersByTime(1999)
  expect(timer.lost(again)).toBe(2000) // it did not hold
  timer.opened()
  vi.advanceTimersByTime(2000)
  expect(timer.lost(again)).toBe(100)
  expect(again).not.toHaveBeenCalled() // each of them was overtaken
  vi.advanceTimersByTime(100)
  expect(again).toHaveBeenCalledTimes(1)
})
