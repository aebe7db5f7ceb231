import { describe, expect, it } from 'vitest'
import { isCommonPassword } from './common-passwords'

describe('a password that is tried first', () => {
  it.each([
    'passwordpassword',
    'Password12345678',
    'P@ssw0rd!P@ssw0rd!',
    'correct horse battery staple',
    'CorrectHorseBatteryStaple1',
    '123456789012345',
    'qwertyuiopasdfghjkl',
    'poiuytrewq098765',
    'aaaaaaaaaaaaaaa',
    'abcabcabcabcabcabc',
    'abcdefghijklmnop',
    'iloveyou1234567',
    'letmeinletmein1',
    'Winter2026Winter2026',
    'berth-admin-password',
    '1q2w3e4r5t6y7u8i',
    'my password is secret',
    '               ',
  ])('%s is refused', (text) => expect(isCommonPassword(text)).toBe(true))

  it.each([
    'correct horse battery',
    'granite-plover-84-tidal',
    'Vq8#mzL2wRt6!pXe',
    'ein ganz anderer satz',
    'неожиданный парусник',
    '七転び八起きの船は港へ帰る今日',
    'passkeys beat typing every time',
  ])('%s is fine', (text) => expect(isCommonPassword(text)).toBe(false))

  it('L6: is found out in a moment, however long and odd the text', () => {
    const texts = ['ab'.repeat(64), `${'a'.repeat(127)}b`, 'qwertyuio'.repeat(14), 'x1'.repeat(2 ** 19), '\u0301'.repeat(128)]
    const started = performance.now()
    for (const text of texts) isCommonPassword(text)
    expect(performance.now() - started).toBeLessThan(1000)
  })
})
