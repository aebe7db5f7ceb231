import { randomUUID } from 'node:crypto'
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { appliedMigration, type Migration, pendingMigrations, readMigrations } from './migrations'
import { onSoundFile, requireSound } from './sqlite-file'
import { requireSqliteVersion } from './sqlite-version'
import { preparePrivateFolder } from './url'

const BUSY_MS = 30_000
const TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" TEXT PRIMARY KEY NOT NULL, "checksum" TEXT NOT NULL, "finished_at" DATETIME, "migration_name" TEXT NOT NULL, "logs" TEXT,
  "rolled_back_at" DATETIME, "started_at" DATETIME NOT NULL DEFAULT current_timestamp, "applied_steps_count" INTEGER UNSIGNED NOT NULL DEFAULT 0)`

const APPLIED = 'SELECT * FROM "_prisma_migrations" ORDER BY "started_at"'

/** Applies a folder to a SQLite file. The whole batch is one transaction: a failure leaves the file as it was. A damaged file is refused. */
export function migrateSqlite(file: string, folder: string): string[] {
  return onSoundFile(file, () => migrateFile(file, folder))
}

function migrateFile(file: string, folder: string): string[] {
  preparePrivateFolder(path.dirname(file))
  closeSync(openSync(file, 'a', 0o600)) // private before SQLite writes to it; -wal and -shm copy its mode
  chmodSync(file, 0o600)
  const db = new Database(file, { timeout: BUSY_MS })
  try {
    requireSqliteVersion(db)
    requireSound(db.pragma('quick_check(1)', { simple: true }))
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = FULL')
    db.pragma('foreign_keys = OFF') // cannot be changed inside a transaction; table rebuilds need it off
    return applyAll(db, folder)
  } finally {
    db.close()
  }
}

/** The migrations that would change a file that holds something already; none for a new one. Refuses what migrateSqlite refuses. */
export function changesToSqlite(file: string, folder: string): string[] {
  return existsSync(file) ? onSoundFile(file, () => changesTo(file, folder)) : []
}

function changesTo(file: string, folder: string): string[] {
  const db = new Database(file, { readonly: true, timeout: BUSY_MS })
  try {
    const hasTable = db.prepare(`SELECT count(*) FROM sqlite_master WHERE name = '_prisma_migrations'`).pluck().get()
    if (hasTable === 0) return []
    const rows = appliedMigration.array().parse(db.prepare(APPLIED).all())
    return rows.length === 0 ? [] : pendingMigrations(readMigrations(folder), rows).map((migration) => migration.name)
  } finally {
    db.close()
  }
}

function applyAll(db: Database.Database, folder: string): string[] {
  db.exec('BEGIN IMMEDIATE') // one process at a time
  try {
    db.exec(TABLE)
    const rows = db.prepare(APPLIED).all()
    const todo = pendingMigrations(readMigrations(folder), appliedMigration.array().parse(rows))
    for (const migration of todo) apply(db, migration)
    const broken = db.prepare('PRAGMA foreign_key_check').all()
    if (broken.length > 0) throw new Error(`foreign keys broken by a migration: ${JSON.stringify(broken.slice(0, 5))}`)
    db.exec('COMMIT')
    return todo.map((migration) => migration.name)
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK')
    throw error
  }
}

function apply(db: Database.Database, migration: Migration): void {
  const startedAt = Date.now()
  db.exec(migration.sql)
  db.prepare(
    'INSERT INTO "_prisma_migrations" ("id","checksum","finished_at","migration_name","started_at","applied_steps_count") VALUES (?,?,?,?,?,1)',
  ).run(randomUUID(), migration.checksum, Date.now(), migration.name, startedAt)
}
