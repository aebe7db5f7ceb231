import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { migrate } from './migrate'
import { migrateSqlite } from './migrate-sqlite'
import { readMigrations } from './migrations'

const run = promisify(execFile)
/** Every migration, in order. */
const ALL = ['0001_first', '0002_solo', '0003_look']
const FOLDERS = { sqlite: 'prisma/sqlite/migrations', postgres: 'prisma/migrations' }
const PRISMA = path.resolve('node_modules/prisma/build/index.js')
/** The command line starts two processes and compiles an engine: seconds alone, far more beside other suites. */
const SLOW_MS = 180_000

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'berth-migrate-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const migrated = (file = path.join(folder, 'berth.db')) => {
  migrateSqlite(file, FOLDERS.sqlite)
  return file
}
const names = (file: string, type: 'table' | 'trigger') => {
  const db = new Database(file, { readonly: true })
  const rows = db
    .prepare("SELECT name FROM sqlite_master WHERE type = ? AND name NOT LIKE 'sqlite_%' ORDER BY name")
    .pluck()
    .all(type)
  db.close()
  return rows
}

describe('migrations', () => {
  it('B5: have the same numbers on both databases', () => {
    const numbers = (dir: string) => readMigrations(dir).map((migration) => migration.name)
    expect(numbers(FOLDERS.sqlite)).toEqual(numbers(FOLDERS.postgres))
  })

  it(
    'B5: build exactly the schema: no drift on SQLite',
    async () => {
      await run(process.execPath, ['scripts/derive-sqlite.mjs'])
      const diff = [
        'migrate',
        'diff',
        '--from-migrations',
        FOLDERS.sqlite,
        '--to-schema',
        'prisma/sqlite/schema.prisma',
        '--exit-code',
      ]
      const env = {
        ...process.env,
        BERTH_DB: 'sqlite',
        DATABASE_URL: `file:${path.join(folder, 'drift.db')}`,
        CHECKPOINT_DISABLE: '1',
      }
      const { stdout } = await run(process.execPath, [PRISMA, ...diff], { env })
      expect(stdout).toContain('No difference')
    },
    SLOW_MS,
  )

  it(
    'B5: build exactly the schema: no drift on PostgreSQL',
    async () => {
      const diff = [
        'migrate',
        'diff',
        '--from-migrations',
        FOLDERS.postgres,
        '--to-schema',
        'prisma/schema.prisma',
        '--exit-code',
      ]
      const env = { ...process.env, DATABASE_URL: inject('postgresUrl'), CHECKPOINT_DISABLE: '1' }
      const { stdout } = await run(process.execPath, [PRISMA, ...diff], { env })
      expect(stdout).toContain('No difference')
    },
    SLOW_MS,
  )

  it('leave the append-only triggers on SQLite, where a rebuilt table would lose them in silence', () => {
    expect(names(migrated(), 'trigger')).toEqual(['workload_event_no_delete', 'workload_event_no_update'])
  })

  it('leave the triggers on PostgreSQL', async () => {
    const template = new URL(inject('postgresUrl'))
    template.pathname = '/berth_template'
    const client = new pg.Client(template.href)
    await client.connect()
    const { rows } = await client.query('SELECT tgname FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname')
    await client.end()
    expect(rows.map((row) => row.tgname)).toEqual([
      'change_counter_raised',
      'workload_event_no_change',
      'workload_event_no_truncate',
    ])
  })
})

describe('the migrator', () => {
  it('makes the file private and does nothing the second time', () => {
    const file = path.join(folder, 'data', 'berth.db')
    expect(migrateSqlite(file, FOLDERS.sqlite)).toEqual(ALL)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700)
    expect(migrateSqlite(file, FOLDERS.sqlite)).toEqual([])
  })

  it('finds the folder of the address that it is given', async () => {
    expect(await migrate(`file:${path.join(folder, 'berth.db')}`, process.cwd())).toEqual(ALL)
  })

  it('B8: refuses a database that is newer than this version', () => {
    const file = migrated()
    const later = withMigration('0002_later', 'CREATE TABLE "later" ("id" TEXT PRIMARY KEY NOT NULL);')
    migrateSqlite(file, later)
    expect(() => migrateSqlite(file, FOLDERS.sqlite)).toThrow(/0002_later, which this version does not know/)
  })

  it('copies what is there before a migration touches it, and keeps the copy; a new or newer file is not copied', async () => {
    const file = path.join(folder, 'berth.db')
    const backups: string[] = []
    const told = { backedUp: (made: string) => backups.push(made) }
    await migrate(`file:${file}`, process.cwd(), told)
    expect(backups).toEqual([])
    withRoot('0003_more', 'CREATE TABLE "more" ("id" TEXT PRIMARY KEY NOT NULL);')
    const root = path.join(folder, 'root')
    expect(await migrate(`file:${file}`, root, told)).toEqual(['0003_more'])
    await migrate(`file:${file}`, root, told)
    expect(backups).toEqual([expect.stringMatching(/backups\/berth-.*Z-before-0003_more\.db$/)])
    expect(names(backups[0] ?? '', 'table')).not.toContain('more')
    await expect(migrate(`file:${file}`, process.cwd(), told)).rejects.toThrow(/it is newer/)
    expect(backups).toHaveLength(1)
  })

  it('refuses a migration that was changed after it was applied', () => {
    const file = migrated()
    const changed = withMigration('0001_first', '-- other')
    expect(() => migrateSqlite(file, changed)).toThrow(/0001_first was changed/)
  })

  it('B8: leaves the file as it was when a migration fails half-way', () => {
    const file = migrated()
    const tables = names(file, 'table')
    const broken = withMigration(
      '0002_broken',
      'CREATE TABLE "half" ("id" TEXT PRIMARY KEY NOT NULL); SELECT no_such_function();',
    )
    expect(() => migrateSqlite(file, broken)).toThrow()
    expect(names(file, 'table')).toEqual(tables)
  })

  it('X45: killed in the middle of a migration, it leaves the old schema, and the next start applies the new one', async () => {
    const file = migrated()
    const tables = names(file, 'table')
    const endless = 'INSERT INTO "more" WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;'
    const slow = withMigration('0003_more', `CREATE TABLE "more" ("id" TEXT PRIMARY KEY NOT NULL); ${endless}`)
    const code = `import { migrateSqlite } from './server/store/migrate-sqlite.ts'; migrateSqlite(...process.argv.slice(1))`
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code, file, slow])
    await vi.waitFor(() => expect(isLocked(file)).toBe(true), { timeout: SLOW_MS, interval: 20 })
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    expect(names(file, 'table')).toEqual(tables)
    writeFileSync(path.join(slow, '0003_more/migration.sql'), 'CREATE TABLE "more" ("id" TEXT PRIMARY KEY NOT NULL);')
    expect(migrateSqlite(file, slow)).toEqual(['0003_more'])
  })

  it('refuses a migration that breaks a foreign key', () => {
    const file = migrated()
    const broken = withMigration(
      '0002_orphan',
      `INSERT INTO "membership" ("id","tenant_id","user_id","role","created_at") VALUES ('m','none','none','owner','2026-01-01T00:00:00.000+00:00');`,
    )
    expect(() => migrateSqlite(file, broken)).toThrow(/foreign keys broken/)
  })

  it('refuses a folder that others may write to', () => {
    const shared = mkdtempSync(path.join(tmpdir(), 'berth-shared-'))
    try {
      chmodSync(shared, 0o777)
      expect(() => migrateSqlite(path.join(shared, 'berth.db'), FOLDERS.sqlite)).toThrow(/others may write/)
    } finally {
      rmSync(shared, { recursive: true, force: true })
    }
  })

  it('B8: applies once when two processes start together on PostgreSQL', async () => {
    const admin = new pg.Client(inject('postgresUrl'))
    await admin.connect()
    await admin.query('DROP DATABASE IF EXISTS t_together')
    await admin.query('CREATE DATABASE t_together')
    const url = new URL(inject('postgresUrl'))
    url.pathname = '/t_together'
    const applied = await Promise.all([migrate(url.href, process.cwd()), migrate(url.href, process.cwd())])
    expect(applied.flat()).toEqual(ALL)
    await admin.query('DROP DATABASE t_together WITH (FORCE)')
    await admin.end()
  })
})

/** Does somebody write to it right now? */
function isLocked(file: string): boolean {
  const db = new Database(file, { timeout: 0 })
  try {
    db.exec('BEGIN IMMEDIATE')
    db.exec('ROLLBACK')
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY'
  } finally {
    db.close()
  }
}

/** The code's folder of another version, which has one migration more. */
function withRoot(name: string, sql: string): string {
  return withMigration(name, sql, path.join(folder, 'root/prisma/sqlite/migrations'))
}

function withMigration(name: string, sql: string, dir = path.join(folder, `migrations-${name}`)): string {
  cpSync(FOLDERS.sqlite, dir, { recursive: true })
  mkdirSync(path.join(dir, name), { recursive: true })
  writeFileSync(path.join(dir, name, 'migration.sql'), sql)
  return dir
}
