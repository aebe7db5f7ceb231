import { expect, it } from 'vitest'
import type { OrphanView } from '@/domain/views'
import { NOW } from '@/testing/candidates'
import { cannotAdopt, orphanDialogWords, orphanName } from './orphan-words'

const orphan = (patch: Partial<OrphanView> = {}): OrphanView => ({
  placementId: '01890000-0000-7000-8000-0000abcd1234',
  workloadId: 'w',
  workloadGen: 2,
  kind: 'session',
  name: null,
  status: 'running',
  firstSeenAt: NOW,
  decision: null,
  ...patch,
})

it.each([
  [orphan({ name: 'api-refactor' }), 'api-refactor', null],
  [orphan(), 'Session abcd1234', null],
  [orphan({ kind: null }), 'Something abcd1234', 'Its machine does not know any more what it was: it can only be stopped'],
])('an orphan is called by the best that is known of it: %#', (one, name, why) => {
  expect([orphanName(one), cannotAdopt(one)]).toEqual([name, why])
})

it('says what goes on, what ends and what stays before it happens', () => {
  const at = { machine: 'atlas', isQuarantined: false }
  const stop = orphanDialogWords('stop', orphan(), at)
  expect(stop.description).toBe('Its processes on atlas end now. This cannot be undone.')
  expect(orphanDialogWords('stop', orphan(), { ...at, isQuarantined: true }).description).toContain('once quarantine is left')
  expect(stop.points).toContain('Its files stay on atlas.')
  expect(orphanDialogWords('adopt', orphan({ name: 'api-refactor' }), at).points[0]).toBe('api-refactor is this one from now on.')
  expect(orphanDialogWords('adopt', orphan(), at).points[0]).toBe('It becomes a workload of its owner, under a new name.')
})
