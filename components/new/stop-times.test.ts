import { describe, expect, it } from 'vitest'
import { dailyCron, dailyTime, minuteOptions, minutesText, stopWords } from './stop-times'

describe('stop times', () => {
  it.each([
    [10, '10 min'],
    [60, '1 h'],
    [90, '1 h 30 min'],
    [1440, '1 d'],
    [43_200, '30 d'],
  ])('%i minutes are %s', (minutes, text) => expect(minutesText(minutes)).toBe(text))

  it.each(['00:00', '09:05', '18:30', '23:59'])('%s comes back from its line unchanged', (time) => {
    const cron = dailyCron(time)
    expect(cron).not.toBeNull()
    expect(dailyTime(cron ?? '')).toBe(time)
  })

  it.each(['24:00', '9:05', '', '12:60'])('%s is no time of day', (time) => expect(dailyCron(time)).toBeNull())

  it.each(['0 9 * * 1', '*/5 * * * *', '0 99 * * *'])('%s is not every day', (cron) => expect(dailyTime(cron)).toBeNull())

  it('offers a length that was set elsewhere, in its place', () => {
    expect(minuteOptions(45, 'Never').map((o) => o.value)).toEqual(['', '30', '45', '60', '120', '240', '480', '1440', '10080'])
    expect(minuteOptions(null, 'Never').map((o) => o.label)).toEqual([
      'Never',
      '30 min',
      '1 h',
      '2 h',
      '4 h',
      '8 h',
      '1 d',
      '7 d',
    ])
  })

  it('says each way in which it stops, and nothing when there is none', () => {
    expect(stopWords({ idleMinutes: null, limitMinutes: null, parkAt: null })).toEqual([])
    expect(stopWords({ idleMinutes: 60, limitMinutes: 720, parkAt: { cron: '30 18 * * *', timeZone: 'UTC' } })).toEqual([
      'after 1 h idle',
      'after 12 h at most',
      'every day at 18:30',
    ])
    expect(stopWords({ idleMinutes: null, limitMinutes: null, parkAt: { cron: '0 9 * * 1', timeZone: 'UTC' } })).toEqual([
      'by schedule 0 9 * * 1',
    ])
  })
})
