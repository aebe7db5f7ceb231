import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCookie, SESSION_COOKIE } from './cookies'

describe('readCookie', () => {
  it('finds the session among others', () => {
    expect(readCookie(`a=1; ${SESSION_COOKIE}=v.v-_1; b=2`, SESSION_COOKIE)).toEqual({ found: 'one', value: 'v.v-_1' })
    expect(readCookie(`${SESSION_COOKIE}=`, SESSION_COOKIE)).toEqual({ found: 'one', value: '' })
  })

  it('A6: says many when the name comes twice', () => {
    expect(readCookie(`${SESSION_COOKIE}=mine; ${SESSION_COOKIE}=tossed`, SESSION_COOKIE)).toEqual({ found: 'many' })
  })

  it.each([
    null,
    '',
    '__host-berth_session=v',
    '__Host-berth_session.0=v',
    '\u2000__Host-berth_session=v',
    '\u00a0__Host-berth_session=v',
    '  __Host-berth_session=v',
    '\t__Host-berth_session=v',
    '"__Host-berth_session"=v',
    '__Host-berth_session =v',
    '=__Host-berth_session=v',
    '__Host-berth_session',
    '%5F_Host-berth_session=v',
  ])('does not take %j for the session', (header) => {
    expect(readCookie(header, SESSION_COOKIE)).toEqual({ found: 'none' })
  })

  it('A7: finds it for the exact bytes only, over 5,000 made-up headers', () => {
    const piece = fc.oneof(
      fc.constantFrom(SESSION_COOKIE, `${SESSION_COOKIE}=v`, '=', ';', '; ', ' ', '\t', '"', '\u2000', '__Host-', 'a=b'),
      fc.string({ maxLength: 6 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const header = pieces.join('')
        const exact = header.split(';').filter((p) => p.replace(/^ /, '').startsWith(`${SESSION_COOKIE}=`)).length
        return readCookie(header, SESSION_COOKIE).found === (exact === 0 ? 'none' : exact === 1 ? 'one' : 'many')
      }),
      { numRuns: 5000 },
    )
  })
})
