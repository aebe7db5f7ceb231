import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TOKEN_PREFIX, type TokenKind } from './ids'
import { formatToken, isToken, TOKEN_BYTES } from './tokens'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KINDS = Object.keys(TOKEN_PREFIX) as TokenKind[]

describe('tokens', () => {
  it.each(KINDS)('%s: prefix, 43 base62 characters and 6 of checksum', (kind) => {
    const token = formatToken(kind, randomBytes(TOKEN_BYTES))
    expect(token).toMatch(new RegExp(`^${TOKEN_PREFIX[kind]}[0-9A-Za-z]{49}$`))
    expect(isToken(kind, token)).toBe(true)
  })

  it('holds all 256 bits: different bytes never give the same token', () => {
    const last = new Uint8Array(TOKEN_BYTES).fill(255)
    const first = new Uint8Array(TOKEN_BYTES)
    expect(formatToken('setup', last)).not.toBe(formatToken('setup', first))
    expect(formatToken('setup', first)).toContain('0'.repeat(43))
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.uint8Array({ minLength: 32, maxLength: 32 }), (a, b) => {
        return Buffer.compare(a, b) === 0 || formatToken('setup', a) !== formatToken('setup', b)
      }),
    )
  })

  it('uses the ordinary CRC-32', () => {
    const token = formatToken('apiToken', randomBytes(TOKEN_BYTES))
    let value = crc32(token.slice(10, 53))
    let text = ''
    for (; text.length < 6; value = Math.floor(value / 62)) text = BASE62.charAt(value % 62) + text
    expect(token.slice(53)).toBe(text)
  })

  it('K13: refuses a wrong kind, a changed character and anything of another shape', () => {
    const token = formatToken('setup', randomBytes(TOKEN_BYTES))
    expect(isToken('join', token)).toBe(false)
    for (let i = 0; i < token.length; i++) {
      const other = token[i] === 'x' ? 'y' : 'x'
      expect(isToken('setup', token.slice(0, i) + other + token.slice(i + 1))).toBe(false)
    }
    for (const text of ['', 'berth_setup_', `${token}0`, token.slice(1), `${token.slice(0, -1)}é`])
      expect(isToken('setup', text)).toBe(false)
  })

  it('refuses a wrong number of random bytes', () => {
    expect(() => formatToken('setup', new Uint8Array(16))).toThrow(RangeError)
  })
})
