import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits as 43 base64url characters; handed out once, stored as a hash only. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** What is stored of a secret: its SHA-256 in hex. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
