import { describe, expect, it } from 'vitest'
import { viewOf } from '@/testing/workload-view'
import { type Draft, draftOf } from './draft'
import { fieldLabel, hasHiddenError, optionsSummary, reachesMachine } from './options-words'

const draft = (patch: Partial<Draft> = {}): Draft => ({ ...draftOf(viewOf()), ...patch })

describe('the folded options', () => {
  it('say what was set first, and what nothing was set for', () => {
    expect(optionsSummary(draft())).toBe(
      'no idle stop · no time limit · 0 B of disk · stays parked after a restart of its machine',
    )
    const parkAt = { cron: '0 18 * * *', timeZone: 'UTC' }
    const mounts: Draft['mounts'] = [
      { path: '/home/mara/data', mode: 'ro' },
      { path: ' ', mode: 'rw' },
    ]
    expect(optionsSummary(draft({ mounts, python: '/opt/py', settings: { idleMinutes: 60, limitMinutes: 90, parkAt } }))).toMatch(
      /^1 folder of the machine · an existing Python · idle stop 1 h · time limit 1 h 30 min · parked every day at 18:00 ·/,
    )
  })

  it.each([
    ['mounts.1', true],
    ['idleMinutes', true],
    ['parkAt.cron', true],
    ['name', false],
    ['requirements', false],
  ])('an error at %s opens them: %s', (field, isOpen) => expect(hasHiddenError({ [field]: 'wrong' })).toBe(isOpen))

  it.each<[string, Partial<Draft>, boolean]>([
    ['a folder', { mounts: [{ path: '/home/mara', mode: 'rw' }] }, true],
    ['a Python of the machine', { python: '/opt/py' }, true],
    ['an empty row', { mounts: [{ path: ' ', mode: 'ro' }] }, false],
    ['nothing of it', {}, false],
  ])('V10: a link with %s opens them: it reaches the machine', (_what, patch, isOpen) => {
    expect(reachesMachine(draft(patch))).toBe(isOpen)
  })

  it.each([
    ['mounts.1', 'Folder 2'],
    ['mounts', 'Folders'],
    ['parkAt.cron', 'Daily parking'],
    ['memoryBytes', 'Memory'],
  ])('%s is called %s', (field, label) => expect(fieldLabel(field)).toBe(label))
})
