import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

export type Migration = { name: string; sql: string; checksum: string }

/** A row of Prisma's `_prisma_migrations`, as both drivers return it. */
export const appliedMigration = z.object({
  migration_name: z.string(),
  checksum: z.string(),
  finished_at: z.unknown().nullable(),
  rolled_back_at: z.unknown().nullable(),
})
export type AppliedMigration = z.infer<typeof appliedMigration>

/** The migrations of a folder, oldest first. */
export function readMigrations(folder: string): Migration[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(path.join(folder, entry.name, 'migration.sql')))
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const sql = readFileSync(path.join(folder, name, 'migration.sql'), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
    })
}

/** What is still to apply. Throws where going on would guess: a failed, changed or unknown migration. */
export function pendingMigrations(all: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const live = applied.filter((row) => row.rolled_back_at === null)
  const failed = live.find((row) => row.finished_at === null)
  if (failed) throw new Error(`migration ${failed.migration_name} failed earlier; restore a backup or resolve it before starting`)
  for (const row of live) {
    const known = all.find((migration) => migration.name === row.migration_name)
    if (!known) throw new Error(`the database has migration ${row.migration_name}, which this version does not know: it is newer`)
    if (known.checksum !== row.checksum) throw new Error(`migration ${known.name} was changed after it was applied`)
  }
  const done = new Set(live.map((row) => row.migration_name))
  return all.filter((migration) => !done.has(migration.name))
}
