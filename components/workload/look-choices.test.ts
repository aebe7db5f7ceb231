import { expect, it } from 'vitest'
import { NOW } from '@/testing/candidates'
import { lookChoices } from './look-choices'

const after = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)
const minutesOf = (until: number | null, now: number) =>
  lookChoices({ stateSince: NOW, looksUntil: until === null ? null : after(until) }, after(now).getTime()).map((c) => c.minutes)

it.each([
  { what: 'nothing where nothing is kept', until: null, now: 5, expected: [] },
  { what: 'every length just after it failed, none beyond a day after it', until: 15, now: 5, expected: [60, 240, 720, 1435] },
  { what: 'only what is longer than now', until: 300, now: 30, expected: [720, 1410] },
  { what: 'no length that ends after the bound', until: 900, now: 840, expected: [240, 600] },
  { what: 'nothing once it is kept as long as can be', until: 1440, now: 600, expected: [] },
])('offers $what', ({ until, now, expected }) => {
  expect(minutesOf(until, now)).toEqual(expected)
})
