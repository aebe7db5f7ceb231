import { describe, expect, it } from 'vitest'
import { bytesText } from './bytes'
import { durationText, longDurationText } from './duration'

const MINUTE = 60_000

describe('durationText', () => {
  it.each([
    [-5, '0 s'],
    [38_900, '38 s'],
    [11 * MINUTE, '11 min'],
    [5 * 60 * MINUTE, '5 h'],
    [47 * 60 * MINUTE, '47 h'],
    [50 * 60 * MINUTE, '2 d'],
  ])('%i ms is %s', (ms, text) => expect(durationText(ms)).toBe(text))

  it('says two units where the second one matters', () => {
    expect(longDurationText(126 * MINUTE)).toBe('2 h 06 min')
    expect(longDurationText(192_000)).toBe('3 min 12 s')
  })
})

describe('bytesText', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [2 * 2 ** 30, '2 GiB'],
    [1.8 * 2 ** 40, '1.8 TiB'],
    [61 * 2 ** 20, '61 MiB'],
    [10.4 * 2 ** 30, '10 GiB'],
  ])('%d is %s', (bytes, text) => expect(bytesText(bytes)).toBe(text))
})
