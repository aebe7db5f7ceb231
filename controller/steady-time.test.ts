import { expect, it } from 'vitest'
import { SteadyTime } from './steady-time'

const HOUR = 3_600_000

it('X31: counts only time that passed, wherever the clock went', () => {
  let [wall, elapsed] = [10 * HOUR, 0]
  const steady = new SteadyTime(() => elapsed)
  const look = (ms: number, jump = 0) => {
    elapsed += ms
    wall += ms + jump
    steady.look(new Date(wall))
  }
  look(0)
  const early = new Date(wall)
  look(5000)
  expect(steady.ageMs(early)).toBe(5000)
  look(1000, HOUR)
  expect(steady.ageMs(early)).toBe(6000)
  const between = new Date(wall)
  look(2000)
  expect([steady.ageMs(early), steady.ageMs(between)]).toEqual([8000, 2000])
  look(1000, HOUR)
  expect([steady.ageMs(early), steady.ageMs(between)]).toEqual([9000, 3000])
  look(1000, -HOUR)
  expect(steady.ageMs(early)).toBeLessThanOrEqual(10_000)
})
