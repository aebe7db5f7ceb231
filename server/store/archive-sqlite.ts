import Database from 'better-sqlite3'
import type { EventRow, OldEvents } from './old-events'

const BUSY_MS = 30_000
const GUARD = 'workload_event_no_delete'

/** Opens a SQLite file for the archive; see `OldEvents`. */
export function openOldEventsSqlite(file: string, before: Date): OldEvents {
  const db = new Database(file, { timeout: BUSY_MS })
  // The text that Prisma's adapter stores sorts as time does.
  const moment = before.toISOString().replace('Z', '+00:00')
  const select = db.prepare<[string, number], EventRow>(
    'SELECT * FROM "workload_event" WHERE "at" < ? ORDER BY "at", "id" LIMIT ?',
  )
  return {
    read: async (limit) => select.all(moment, limit),
    drop: async (ids) => dropGuarded(db, ids),
    close: async () => {
      db.close()
    },
  }
}

function dropGuarded(db: Database.Database, ids: readonly string[]): void {
  db.exec('BEGIN IMMEDIATE')
  try {
    const guard = db.prepare(`SELECT "sql" FROM sqlite_master WHERE "type" = 'trigger' AND "name" = ?`).pluck().get(GUARD)
    if (typeof guard !== 'string') throw new Error('the timeline has lost its guard; restore a backup')
    db.exec(`DROP TRIGGER "${GUARD}"`)
    db.prepare('DELETE FROM "workload_event" WHERE "id" IN (SELECT "value" FROM json_each(?))').run(JSON.stringify(ids))
    db.exec(guard)
    db.exec('COMMIT')
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK')
    throw error
  }
}
