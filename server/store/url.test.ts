import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { databaseUrl, parseDatabaseUrl, preparePrivateFolder } from './url'

describe('a database address', () => {
  it.each([
    ['file:/data/berth.db', { provider: 'sqlite', file: '/data/berth.db' }],
    ['file:/data/a b.db', { provider: 'sqlite', file: '/data/a b.db' }],
    ['postgresql://x@127.0.0.1/berth', { provider: 'postgres', url: 'postgresql://x@127.0.0.1/berth' }],
    ['postgres://x@127.0.0.1/berth', { provider: 'postgres', url: 'postgres://x@127.0.0.1/berth' }],
  ])('%s is taken', (url, place) => expect(parseDatabaseUrl(url)).toEqual(place))

  it.each([
    'file::memory:',
    'file::memory:?cache=shared',
    'file:berth.db',
    'file:./berth.db',
    'file:///data/berth.db',
    'file:/data/berth.db?mode=memory',
    'file:/data/berth.db?vfs=unix-none',
    'file:/data/berth.db#x',
    'file:/data/%2e%2e/berth.db',
    'file:/data/',
    'file:/data/a\0b',
    ':memory:',
    '/data/berth.db',
    'mysql://x@127.0.0.1/berth',
    '',
  ])('%j is refused', (url) => expect(() => parseDatabaseUrl(url)).toThrow(/database address/))

  it('is the file in the data directory unless one is given', () => {
    expect(databaseUrl({ BERTH_HOME: '/data' })).toBe('file:/data/berth.db')
    expect(databaseUrl({ BERTH_HOME: '/data', BERTH_DATABASE_URL: 'postgresql://x' })).toBe('postgresql://x')
  })
})

describe('the data folder', () => {
  let parent: string
  beforeEach(() => {
    parent = mkdtempSync(path.join(tmpdir(), 'berth-url-'))
  })
  afterEach(() => rmSync(parent, { recursive: true, force: true }))

  it('is made for its owner alone', () => {
    const folder = path.join(parent, 'new')
    preparePrivateFolder(folder)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
  })

  it('is refused when group or others may write to it', () => {
    for (const mode of [0o770, 0o707]) {
      chmodSync(parent, mode)
      expect(() => preparePrivateFolder(parent)).toThrow(/others may write/)
    }
  })
})
