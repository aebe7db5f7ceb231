import { randomBytes } from 'node:crypto'
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * The key that encrypts session cookies: `<data>/keys/auth.key`, 0600, made at the first start. Throws one sentence when
 * the file is not private or not a key: a key that others could read protects nothing.
 */
export function loadAuthKey(dataDirectory: string): string {
  const folder = path.join(dataDirectory, 'keys')
  const file = path.join(folder, 'auth.key')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  makeOnce(file)
  if ((statSync(file).mode & 0o077) !== 0)
    throw new Error(`${file}: others may read this key; chmod 600 it, or remove it to sign everybody out`)
  const key = readFileSync(file, 'utf8').trim()
  if (!/^[\w-]{43}$/.test(key)) throw new Error(`${file}: not a key; remove it to get a new one (everybody is signed out)`)
  return key
}

/** Writes the file whole and only when there is none, also when two processes start at once. */
function makeOnce(file: string): void {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
