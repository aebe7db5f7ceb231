import { expect, it } from 'vitest'
import { because } from '@/domain/reasons'
import { firstLog, logOfReason, logsOf, mayHaveBegun } from './log-source'

it.each([
  [because('environment_failed', { package: 'numpy' }), 'build', null],
  [because('no_python', {}), 'build', null],
  [because('mount_refused', { folder: '/data' }), 'build', 'build'],
  [because('start_failed', { stage: 'kernel' }), 'build', 'build'],
  [because('start_stalled', { seconds: 300, stage: 'packages' }), 'build', null],
  [because('start_failed', { stage: 'starting' }), 'output', 'build'],
  [because('process_ended', { exitCode: 1 }), 'output', null],
  [because('driver_missing', { machine: 'atlas' }), null, null],
  [null, null, null],
])('a failure leads to the log that explains it: %o', (reason, log, ofSession) => {
  expect(logOfReason({ kind: 'notebook', reason })).toBe(log)
  expect(logOfReason({ kind: 'session', reason })).toBe(ofSession)
})

it('a build is shown while it goes on, and when it is why nothing runs', () => {
  const reason = because('environment_failed', {})
  const at = (stage: 'packages' | 'starting') => ({ stage })
  expect(firstLog({ kind: 'notebook', state: 'provisioning', progress: at('packages'), reason: null })).toBe('build')
  expect(firstLog({ kind: 'notebook', state: 'provisioning', progress: at('starting'), reason: null })).toBe('output')
  expect(firstLog({ kind: 'notebook', state: 'failed', progress: null, reason })).toBe('build')
  expect(firstLog({ kind: 'notebook', state: 'running', progress: null, reason: null })).toBe('output')
})

it('a session has a log only of a start that was refused', () => {
  const reason = because('mount_refused', {})
  expect(logsOf({ kind: 'session', state: 'failed', reason })).toEqual(['build'])
  expect(logsOf({ kind: 'session', state: 'running', reason })).toEqual([])
  expect(logsOf({ kind: 'notebook', state: 'running', reason: null })).toEqual(['output', 'build'])
})

it.each([
  [{ state: 'queued', progress: null, workloadGen: 0 }, [false, false]],
  [{ state: 'queued', progress: null, workloadGen: 2 }, [true, true]],
  [{ state: 'provisioning', progress: null, workloadGen: 1 }, [false, false]],
  [{ state: 'provisioning', progress: { stage: 'packages' }, workloadGen: 1 }, [false, true]],
  [{ state: 'provisioning', progress: { stage: 'starting' }, workloadGen: 1 }, [true, true]],
  [{ state: 'failed', progress: null, workloadGen: 1 }, [true, true]],
] as const)('a log is not asked for before it can be there: %o', (workload, begun) => {
  expect([mayHaveBegun(workload, 'output'), mayHaveBegun(workload, 'build')]).toEqual(begun)
})
