import type { TokenKind } from './ids'
import { TOKEN_PREFIX } from './ids'

/** What an API token may do; each scope includes those before it. `admin`: who may do what, and machines. */
export const SCOPES = ['read', 'write', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

/** Do these scopes allow what needs `needed`? Pure. */
export function hasScope(scopes: readonly Scope[], needed: Scope): boolean {
  return scopes.some((scope) => SCOPES.indexOf(scope) >= SCOPES.indexOf(needed))
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BODY_CHARS = 43
const CHECK_CHARS = 6
/** Random bytes in a token: 256 bits fit in 43 base62 characters. */
export const TOKEN_BYTES = 32

/** Writes a token from `TOKEN_BYTES` random bytes: prefix, 43 base62 characters, 6 of checksum. Pure. */
export function formatToken(kind: TokenKind, random: Uint8Array): string {
  if (random.length !== TOKEN_BYTES) throw new RangeError(`a token takes ${TOKEN_BYTES} random bytes, not ${random.length}`)
  const body = base62(toBigInt(random), BODY_CHARS)
  return TOKEN_PREFIX[kind] + body + checksum(body)
}

/** Is this a token of the kind, with a right checksum? Says nothing about whether it was ever issued; needs no query. */
export function isToken(kind: TokenKind, text: string): boolean {
  const prefix = TOKEN_PREFIX[kind]
  if (text.length !== prefix.length + BODY_CHARS + CHECK_CHARS || !text.startsWith(prefix)) return false
  const body = text.slice(prefix.length, prefix.length + BODY_CHARS)
  return /^[0-9A-Za-z]+$/.test(body) && text.slice(prefix.length + BODY_CHARS) === checksum(body)
}

function checksum(body: string): string {
  return base62(BigInt(crc32(body)), CHECK_CHARS)
}

function toBigInt(bytes: Uint8Array): bigint {
  return bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
}

function base62(value: bigint, chars: number): string {
  let text = ''
  for (let rest = value; text.length < chars; rest /= 62n) text = BASE62.charAt(Number(rest % 62n)) + text
  return text
}

/** CRC-32 (IEEE) of ASCII text. It catches typing mistakes; it protects nothing. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i)
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
