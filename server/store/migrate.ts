import path from 'node:path'
import { backUpBefore } from './backup'
import { migratePostgres } from './migrate-postgres'
import { changesToSqlite, migrateSqlite } from './migrate-sqlite'
import { parseDatabaseUrl } from './url'

/**
 * Brings the database to this version and returns the names of what was applied. Needs no Prisma CLI and keeps Prisma's
 * own table, so both see each other's work. Refuses a changed, failed or unknown migration: an older Berth never
 * starts on a newer database.
 */
export async function migrate(url: string, rootFolder: string, told: Told = {}): Promise<string[]> {
  const place = parseDatabaseUrl(url)
  if (place.provider === 'postgres') return migratePostgres(place.url, path.join(rootFolder, 'prisma/migrations'))
  const folder = path.join(rootFolder, 'prisma/sqlite/migrations')
  const first = changesToSqlite(place.file, folder)[0]
  if (first !== undefined) told.backedUp?.(await backUpBefore(place.file, first, new Date()))
  return migrateSqlite(place.file, folder)
}

/** What the migrator says on its way. */
export type Told = {
  /** A SQLite database that holds something is copied before a migration touches it; the newest five copies are kept. */
  backedUp?: (file: string) => void
}
