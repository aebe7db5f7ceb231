import { expect, it } from 'vitest'
import { NO_SETTINGS, type WorkloadSettings } from '@/domain/workloads'
import { hasChanged, settingsErrors, whyNotChange, whyNotRepack } from './settings-rules'

const daily = { cron: '0 18 * * *', timeZone: 'UTC' }

it.each([
  ['the same', {}, false],
  ['another idle time', { idleMinutes: 60 }, true],
  ['a schedule', { parkAt: daily }, true],
])('a change is told from none: %s', (_, patch, isChanged) => {
  expect(hasChanged(NO_SETTINGS, { ...NO_SETTINGS, ...patch })).toBe(isChanged)
})

it('the same schedule in a new object is no change; another zone is one', () => {
  const before: WorkloadSettings = { ...NO_SETTINGS, parkAt: daily }
  expect(hasChanged(before, { ...before, parkAt: { ...daily } })).toBe(false)
  expect(hasChanged(before, { ...before, parkAt: { ...daily, timeZone: 'Europe/Berlin' } })).toBe(true)
})

it('what the API would refuse is said at its field', () => {
  expect(settingsErrors(NO_SETTINGS)).toEqual({})
  expect(settingsErrors({ ...NO_SETTINGS, idleMinutes: 1 })).toEqual({ idleMinutes: 'at least 10 minutes' })
  expect(Object.keys(settingsErrors({ ...NO_SETTINGS, parkAt: { ...daily, cron: '0 1' } }))).toEqual(['parkAt.cron'])
})

it('says who can change them where this person cannot', () => {
  expect(whyNotChange({ may: ['workload.settings'], state: 'parked' })).toBeNull()
  expect(whyNotChange({ may: ['workload.view'], state: 'running' })).toContain('owner')
  expect(whyNotChange({ may: ['workload.settings'], state: 'removed' })).toContain('ended')
})

it('says what to do first before packages can be changed, and who can', () => {
  expect(whyNotRepack({ may: ['workload.packages'], state: 'failed' })).toBeNull()
  expect(whyNotRepack({ may: ['workload.packages'], state: 'running' })).toContain('Park it first')
  expect(whyNotRepack({ may: ['workload.settings'], state: 'parked' })).toContain('owner')
})
