import { randomBytes } from 'node:crypto'
import type { TokenKind } from '@/domain/ids'
import { formatToken, TOKEN_BYTES } from '@/domain/tokens'

/** A new token of one kind, with checksum. Shown once, stored as a hash only. */
export function newToken(kind: TokenKind): string {
  return formatToken(kind, randomBytes(TOKEN_BYTES))
}
