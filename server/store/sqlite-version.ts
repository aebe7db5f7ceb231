import type Database from 'better-sqlite3'

/** The oldest SQLite that is safe in WAL mode with two processes and that has JSONB and RETURNING as Prisma writes them. */
const SQLITE_VERSION_MIN = '3.51.3'

/** Throws when the linked SQLite is older than what Berth was proven with. */
export function requireSqliteVersion(client: Database.Database): void {
  const version = String(client.prepare('SELECT sqlite_version() AS version').pluck().get())
  if (isOlder(version, SQLITE_VERSION_MIN))
    throw new Error(`SQLite ${version} is too old: at least ${SQLITE_VERSION_MIN}; run npm ci to get the pinned better-sqlite3`)
}

/** Is one dotted version before the other? Exported for its test. */
export function isOlder(version: string, floor: string): boolean {
  const [have, want] = [version, floor].map((v) => v.split('.').map(Number))
  for (let i = 0; i < 3; i++) {
    const difference = (have?.[i] ?? 0) - (want?.[i] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}
