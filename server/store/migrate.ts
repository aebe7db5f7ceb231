import path from 'node:path'
import { migratePostgres } from './migrate-postgres'
import { migrateSqlite } from './migrate-sqlite'
import { parseDatabaseUrl } from './url'

/**
 * Brings the database to this version and returns the names of what was applied. Needs no Prisma CLI and keeps Prisma's
 * own table, so both see each other's work. Refuses a changed, failed or unknown migration: an older Berth never
 * starts on a newer database.
 */
export async function migrate(url: string, rootFolder: string): Promise<string[]> {
  const place = parseDatabaseUrl(url)
  if (place.provider === 'sqlite') return migrateSqlite(place.file, path.join(rootFolder, 'prisma/sqlite/migrations'))
  return migratePostgres(place.url, path.join(rootFolder, 'prisma/migrations'))
}
