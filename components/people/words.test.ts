import { describe, expect, it } from 'vitest'
import { TOKEN_PREFIX } from '@/domain/ids'
import { deviceShape, endText, isLiving, membersText, othersText, scopeText, shownToken, sortTokens } from './words'

const NOW = Date.UTC(2026, 2, 12, 14, 36)
const DAY = 86_400_000
const token = (days: number, revokedAt: Date | null = null) => ({
  expiresAt: new Date(NOW + days * DAY),
  revokedAt,
  createdAt: new Date(NOW - 90 * DAY + days * DAY),
})

describe('API tokens', () => {
  it.each([
    [token(60), 'in 60 d', 'ink-2', true],
    [token(89.999), 'in 90 d', 'ink-2', true],
    [token(3), 'in 3 d', 'warn', true],
    [token(0.5), 'in 12 h', 'warn', true],
    [token(0), 'ended', 'ink-3', false],
    [token(60, new Date(NOW)), 'revoked', 'ink-3', false],
  ])('%j ends %s', (row, ...[text, tone, isAlive]) => {
    expect(endText(row, NOW)).toEqual({ text, tone })
    expect(isLiving(row, NOW)).toBe(isAlive)
  })

  it('are shown by their own prefix', () => expect(shownToken('c1d8')).toBe(`${TOKEN_PREFIX.apiToken}…c1d8`))

  it('stand with the living first, the newest of them on top', () => {
    const [old, fresh, ended, revoked] = [token(10), token(80), token(-1), token(85, new Date(NOW))]
    expect(sortTokens([revoked, ended, old, fresh], NOW)).toEqual([fresh, old, revoked, ended])
  })

  it.each([
    [['read', 'write', 'admin'] as const, 'all you may'],
    [['read', 'write'] as const, 'see and change'],
    [['read'] as const, 'see only'],
    [[] as const, 'nothing'],
  ])('with %j may %s', (scopes, text) => expect(scopeText(scopes)).toBe(text))
})

it.each([
  ['Safari on iOS', 'phone'],
  ['Chrome on Android', 'phone'],
  ['Firefox on Linux', 'laptop'],
  ['Chrome on Windows', 'screen'],
  ['A browser', 'screen'],
])('%s is shown as a %s', (device, shape) => expect(deviceShape(device)).toBe(shape))

it('counts people and other sign-ins in words', () => {
  expect([membersText(1, 'Fieldlab'), membersText(7, 'Fieldlab')]).toEqual([
    'You are the only member of Fieldlab.',
    '7 members of Fieldlab.',
  ])
  expect([0, 1, 3].map((n) => othersText(n).split(' now')[0])).toEqual([
    'There is no other sign-in. You can still sign out here.',
    'The other sign-in ends',
    'The 3 other sign-ins end',
  ])
})
