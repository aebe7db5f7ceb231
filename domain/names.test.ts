import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { email, personName } from './names'

const taken = (text: string) => {
  const parsed = email.safeParse(text)
  return parsed.success ? parsed.data : null
}

describe('an e-mail address', () => {
  it.each(['Mara@Example.org', ' mara@example.org ', 'MARA@EXAMPLE.ORG\t', 'mara@example.org\n'])(
    'A17: %j has one form',
    (text) => expect(taken(text)).toBe('mara@example.org'),
  )

  it.each([
    'mara@example.org,eve@example.org',
    'mara@example.org\r\nbcc: eve@example.org',
    'mara@example.org\0',
    'm\u0430ra@example.org',
    'mara@ex\u0430mple.org',
    'mar\u0131a@example.org',
    '\uff4dara@example.org',
    'mara\u200b@example.org',
    'mara@example.org eve@example.org',
    '"mara eve"@example.org',
    'mara@eve@example.org',
    'mara@-example.org',
    'mara@[127.0.0.1]',
    '<mara@example.org>',
    '@example.org',
    'mara@',
    `${'m'.repeat(400)}@example.org`,
  ])('A17: %j is refused', (text) => expect(taken(text)).toBeNull())

  it('A17: of any characters is refused or has one form, which stays itself in any case', () => {
    const piece = fc.constantFrom(
      'mara',
      'MARA',
      '@',
      '.',
      ',',
      '\r\n',
      ' ',
      'example.org',
      '\u0130',
      '\u212a',
      '\u00e9',
      'e\u0301',
      '\u200d',
      '+x',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const form = taken(pieces.join(''))
        if (form === null) return
        expect(form).toMatch(/^[!-+\--~]+$/)
        for (const twin of [form, form.toUpperCase(), ` ${form} `]) expect(taken(twin)).toBe(form)
      }),
      { numRuns: 3000 },
    )
  })
})

it.each(['a\nb', 'a\u202eb', 'a\u0007b', '\u200d', 'x'.repeat(300)])('a person is not called %j', (text) => {
  expect(personName.safeParse(text).success).toBe(false)
})
