import { randomBytes } from 'node:crypto'

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** 26 random base32 characters for the host name: 130 bits that say nothing about the row. */
export function newLabel(): string {
  return Array.from(randomBytes(26), (byte) => BASE32.charAt(byte % 32)).join('')
}
