import { createHash, randomBytes } from 'node:crypto'
import type { TokenKind } from '@/domain/ids'
import { formatToken, TOKEN_BYTES } from '@/domain/tokens'

/** 256 random bits for a cookie, a ticket or a pass: 43 base64url characters. Shown or set once, stored as a hash only. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** A new token of one kind, with checksum. Shown once, stored as a hash only. */
export function newToken(kind: TokenKind): string {
  return formatToken(kind, randomBytes(TOKEN_BYTES))
}

/** What is stored of a secret: its SHA-256 in hex. Lookups go by this value through a unique index. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
