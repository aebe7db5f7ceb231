import pg from 'pg'
import { z } from 'zod'
import type { OldEvents } from './old-events'

/** One archiver at a time. */
const LOCK_KEY = 72_707_370
const eventRow = z.looseObject({ id: z.string() })

/** Opens a PostgreSQL database for the archive; see `OldEvents`. Needs the role that owns the tables, as migrations do. */
export async function openOldEventsPostgres(url: string, before: Date): Promise<OldEvents> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY])
  return {
    read: async (limit) => {
      const text = 'SELECT * FROM "workload_event" WHERE "at" < $1 ORDER BY "at", "id" LIMIT $2'
      return eventRow.array().parse((await client.query(text, [before, limit])).rows)
    },
    drop: (ids) => dropGuarded(client, ids),
    close: () => client.end(), // ends the advisory lock too
  }
}

async function dropGuarded(client: pg.Client, ids: readonly string[]): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query('ALTER TABLE "workload_event" DISABLE TRIGGER "workload_event_no_change"')
    await client.query('DELETE FROM "workload_event" WHERE "id" = ANY($1)', [ids])
    await client.query('ALTER TABLE "workload_event" ENABLE TRIGGER "workload_event_no_change"')
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}
