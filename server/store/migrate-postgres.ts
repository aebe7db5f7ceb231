import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { appliedMigration, type Migration, pendingMigrations, readMigrations } from './migrations'

/** The advisory lock that Prisma's own engine takes. */
const LOCK_KEY = 72_707_369
const TABLE = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ, "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ, "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`

/** Applies a folder to a PostgreSQL database; each migration is one transaction, one process at a time. */
export async function migratePostgres(url: string, folder: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect().catch((cause: Error) => {
    throw new Error(`BERTH_DATABASE_URL: the database cannot be used (${cause.message})`, { cause })
  })
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY])
    await client.query(TABLE)
    const { rows } = await client.query('SELECT * FROM "_prisma_migrations" ORDER BY "started_at"')
    const todo = pendingMigrations(readMigrations(folder), appliedMigration.array().parse(rows))
    for (const migration of todo) await apply(client, migration)
    return todo.map((migration) => migration.name)
  } finally {
    await client.end() // ends the advisory lock too
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query(migration.sql)
    await client.query(
      'INSERT INTO "_prisma_migrations" ("id","checksum","finished_at","migration_name","applied_steps_count") VALUES ($1,$2,now(),$3,1)',
      [randomUUID(), migration.checksum, migration.name],
    )
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw new Error(`migration ${migration.name} could not be applied`, { cause: error })
  }
}
