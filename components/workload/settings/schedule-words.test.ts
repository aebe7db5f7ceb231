import { Cron } from 'croner'
import { expect, it } from 'vitest'
import { scheduleWords } from './schedule-words'

it.each([
  ['30 18 * * *', 'Every day at 18:30'],
  ['0 18 * * 1-5', 'Monday to Friday at 18:00'],
  ['0 18 * * MON-FRI', 'Monday to Friday at 18:00'],
  ['0 9,21 * * 0', 'Sunday at 09:00 and 21:00'],
  ['0 9 * * 6,7', 'Saturday and Sunday at 09:00'],
  ['0 0 1 * *', 'On day 1 of the month at 00:00'],
  ['0 0 1,15 * 5', 'On day 1 and 15 of the month, and Friday, at 00:00'],
  ['15 4 * 12 *', 'Every day in December at 04:15'],
  ['*/15 * * * *', 'Every day every 15 minutes'],
  ['0 * * * *', 'Every day on the hour'],
  ['5 */6 * * *', 'Every day at 00:05, 06:05, 12:05 and 18:05'],
  ['0 */2 * * *', 'Every day on the hour, every 2 hours'],
  ['* 3 * * *', 'Every day every minute, in the hour from 03:00'],
])('%s reads: %s', (cron, words) => {
  expect(scheduleWords(cron)).toBe(words)
  expect(new Cron(cron, { paused: true }).nextRun()).not.toBeNull()
})

it.each([
  '',
  'daily',
  '0 18 * *',
  '60 0 * * *',
  '0 24 * * *',
  '5-1 * * * *',
  '0 0 32 * *',
  '0 0 * * 8',
  '* * * * * *',
  '*/0 * * * *',
])('“%s” is no schedule', (cron) => {
  expect(scheduleWords(cron)).toBeNull()
})
