import { expect, it } from 'vitest'
import { because } from '@/domain/reasons'
import { firstLog, logOfReason } from './log-source'

it.each([
  [because('environment_failed', { package: 'numpy' }), 'build'],
  [because('no_python', {}), 'build'],
  [because('start_failed', { stage: 'kernel' }), 'build'],
  [because('start_stalled', { seconds: 300, stage: 'packages' }), 'build'],
  [because('start_failed', { stage: 'starting' }), 'output'],
  [because('process_ended', { exitCode: 1 }), 'output'],
  [because('driver_missing', { machine: 'atlas' }), null],
  [null, null],
])('a failure leads to the log that explains it: %o', (reason, log) => {
  expect(logOfReason({ kind: 'notebook', reason })).toBe(log)
  expect(logOfReason({ kind: 'session', reason })).toBeNull()
})

it('a build is shown while it goes on, and when it is why nothing runs', () => {
  const reason = because('environment_failed', {})
  expect(firstLog({ kind: 'notebook', state: 'provisioning', reason: null })).toBe('build')
  expect(firstLog({ kind: 'notebook', state: 'failed', reason })).toBe('build')
  expect(firstLog({ kind: 'notebook', state: 'running', reason: null })).toBe('output')
})
