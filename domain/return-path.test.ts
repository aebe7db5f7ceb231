import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { returnPath } from './return-path'

const ORIGIN = 'http://berth.localhost:7480'

describe('returnPath', () => {
  it.each(['/', '/workloads', '/workloads/1?tab=a&b=%2F%2F', '/new?kind=notebook#x', '/open/abc?n=12'])('keeps %s', (path) => {
    expect(returnPath(path)).toBe(path)
  })

  it.each([
    null,
    undefined,
    '',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    'https:evil.example',
    'https://evil.example',
    'http://berth.localhost:7480@evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%5cevil.example/..//evil.example',
    `/${'a'.repeat(3000)}`,
  ])('turns %j into /', (wanted) => {
    expect(returnPath(wanted)).toBe('/')
  })

  it('A10: never leaves the origin, whatever is asked', () => {
    const piece = fc.constantFrom(
      '/',
      '\\',
      '//',
      '\t',
      '\n',
      '@',
      ':',
      'https:',
      'evil.example',
      '.',
      '..',
      '%2f',
      '%5c',
      '#',
      '?',
      ' ',
      '\u0000',
      '[',
      'javascript:',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 10 }), (pieces) => {
        const path = returnPath(pieces.join(''))
        return path.startsWith('/') && new URL(path, ORIGIN).origin === ORIGIN && new URL(ORIGIN + path).origin === ORIGIN
      }),
      { numRuns: 3000 },
    )
  })
})
