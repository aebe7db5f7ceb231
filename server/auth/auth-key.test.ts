import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadAuthKey } from './auth-key'

let home: string
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'berth-key-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

describe('loadAuthKey', () => {
  it('makes 256 bits once, in a file that only its owner reads', () => {
    const key = loadAuthKey(home)
    expect(key).toMatch(/^[\w-]{43}$/)
    expect(loadAuthKey(home)).toBe(key)
    expect(statSync(path.join(home, 'keys/auth.key')).mode & 0o777).toBe(0o600)
    expect(statSync(path.join(home, 'keys')).mode & 0o777).toBe(0o700)
  })

  it('K11 X12: refuses a file that others may read, and one that holds no key', () => {
    loadAuthKey(home)
    const file = path.join(home, 'keys/auth.key')
    chmodSync(file, 0o640)
    expect(() => loadAuthKey(home)).toThrow('others may read this key')
    chmodSync(file, 0o600)
    writeFileSync(file, 'short')
    expect(() => loadAuthKey(home)).toThrow('not a key')
  })
})
