import type { Db } from '../db'

/** Rows of one batch: a sweep never holds the database for long. */
const BATCH = 500
/** Batches of one table in one sweep; what is left waits for the next. */
const BATCHES_MAX = 20
const DAY_MS = 86_400_000
/** An expired credential is kept so long, so that its refusal can be looked into. */
const KEPT_DAYS = { ticket: 1, doorPass: 1, joinToken: 7, setup: 7, signIn: 30 } as const

type Ids = { id: string }[]
type Expired = { find: (db: Db, at: Date) => Promise<Ids>; drop: (db: Db, ids: string[]) => Promise<unknown> }
const page = { take: BATCH, select: { id: true } } as const
const before = (at: Date, days: number) => new Date(at.getTime() - days * DAY_MS)
const among = (ids: string[]) => ({ where: { id: { in: ids } } })

/** What can never be used again, a row per table. */
const EXPIRED: Record<string, Expired> = {
  ticket: {
    find: (db, at) => db.ticket.findMany({ where: { expiresAt: { lt: before(at, KEPT_DAYS.ticket) } }, ...page }),
    drop: (db, ids) => db.ticket.deleteMany(among(ids)),
  },
  door_pass: {
    find: (db, at) => db.doorPass.findMany({ where: { expiresAt: { lt: before(at, KEPT_DAYS.doorPass) } }, ...page }),
    drop: (db, ids) => db.doorPass.deleteMany(among(ids)),
  },
  idempotency_key: {
    find: (db, at) => db.idempotencyKey.findMany({ where: { expiresAt: { lte: at } }, ...page }),
    drop: (db, ids) => db.idempotencyKey.deleteMany(among(ids)),
  },
  join_token: {
    find: (db, at) => db.joinToken.findMany({ where: { expiresAt: { lt: before(at, KEPT_DAYS.joinToken) } }, ...page }),
    drop: (db, ids) => db.joinToken.deleteMany(among(ids)),
  },
  setup: {
    find: (db, at) => db.setup.findMany({ where: { expiresAt: { lt: before(at, KEPT_DAYS.setup) } }, ...page }),
    drop: (db, ids) => db.setup.deleteMany(among(ids)),
  },
  sign_in: {
    find: (db, at) => db.signIn.findMany({ where: { expiresAt: { lt: before(at, KEPT_DAYS.signIn) } }, ...page }),
    drop: (db, ids) => db.signIn.deleteMany(among(ids)),
  },
}

/**
 * Drops tickets, door passes, idempotency keys, join tokens, set-up secrets and sign-ins that can never be used again, in
 * small batches of their own. Returns how many of each; running it again, or twice at once, is fine.
 */
export async function sweepExpired(db: Db, at: Date): Promise<Record<string, number>> {
  const dropped: Record<string, number> = {}
  for (const [table, { find, drop }] of Object.entries(EXPIRED)) {
    dropped[table] = 0
    for (let batch = 0; batch < BATCHES_MAX; batch++) {
      const ids = (await find(db, at)).map((row) => row.id)
      if (ids.length > 0) await drop(db, ids)
      dropped[table] += ids.length
      if (ids.length < BATCH) break
    }
  }
  return dropped
}
