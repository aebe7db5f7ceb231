import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { isOlder, requireSqliteVersion } from './sqlite-version'

function linked(version: string): Database.Database {
  const db = new Database(':memory:')
  db.function('sqlite_version', () => version)
  return db
}

describe('the floor of SQLite', () => {
  it.each([
    ['3.51.2', true],
    ['3.50.9', true],
    ['2.99.99', true],
    ['3.51.3', false],
    ['3.51.10', false],
    ['3.52.0', false],
    ['4.0.0', false],
  ])('%s is older than 3.51.3: %s', (version, expected) => expect(isOlder(version, '3.51.3')).toBe(expected))

  it('P6: stops a start on an older one, and says what helps', () => {
    expect(() => requireSqliteVersion(linked('3.51.2'))).toThrow(/SQLite 3.51.2 is too old.*npm ci/)
    expect(() => requireSqliteVersion(linked('3.51.3'))).not.toThrow()
  })
})
