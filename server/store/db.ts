import { setTimeout as wait } from 'node:timers/promises'
import { PrismaClientKnownRequestError } from '@prisma/client/runtime/client'
import { isAppError } from '@/domain/errors'
import { expected } from './errors'
import type { PrismaClient as SqliteClient } from './generated/sqlite/client'
import { spendReserve } from './reserve'
import type { SqliteOptions } from './sqlite-adapter'
import { type DatabasePlace, parseDatabaseUrl } from './url'

/** The store's database. Its type is the SQLite client's, whose inputs are the smaller set: what only PostgreSQL knows does not compile. */
export type Db = SqliteClient
/** An open transaction, or a database: what a query runs on. */
export type Tx = Parameters<Parameters<Db['$transaction']>[0]>[0]

/** On globalThis, because Next bundles this module more than once: a database opened by one copy is known to all. */
const shared = globalThis as { berthPlaces?: WeakMap<object, DatabasePlace> }
shared.berthPlaces ??= new WeakMap()
const places = shared.berthPlaces
const TRANSACTION = { maxWait: 15_000, timeout: 10_000 }

/** Opens one client and loads only the dialect that the address names. Migrations are not run here. */
export async function openDb(url: string, options: Omit<SqliteOptions, 'file'> = {}): Promise<Db> {
  const place = parseDatabaseUrl(url)
  const client = place.provider === 'sqlite' ? await openSqlite({ ...options, file: place.file }) : await openPostgres(place.url)
  const db = withExpectedErrors(client, place)
  places.set(db, place)
  return db
}

/** A full, locked or absent database is told as that wherever it shows itself. */
function withExpectedErrors(client: Db, place: DatabasePlace): Db {
  const query = async <A, R>({ args, query: run }: { args: A; query: (args: A) => Promise<R> }): Promise<R> => {
    try {
      return await run(args)
    } catch (error) {
      throw told(error, place)
    }
  }
  return client.$extends({ query: { $allOperations: query } }) as unknown as Db
}

/** The first to find the disk full gives the reserve up. */
function told(error: unknown, place: DatabasePlace): unknown {
  const failure = expected(error)
  if (isAppError(failure) && failure.code === 'storage_full') spendReserve(place)
  return failure
}

/** Where an opened database is; the change feed listens there. */
export function placeOf(db: Db): DatabasePlace {
  const place = places.get(db)
  if (!place) throw new Error('this database was not opened by openDb()')
  return place
}

/**
 * Runs `work` in one transaction. Its first statement must be a guarded write. A start that found the database busy
 * and a deadlock are tried again, at most three times: nothing of them was kept.
 */
export async function inTx<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.$transaction(work, TRANSACTION)
    } catch (error) {
      if (attempt === ATTEMPTS || !isWorthRetrying(error)) throw told(error, placeOf(db))
    }
    await wait(10 * 2 ** attempt * (0.5 + Math.random()))
  }
}
const ATTEMPTS = 3

async function openSqlite(options: SqliteOptions): Promise<Db> {
  const [{ PrismaClient }, { BerthSqlite }] = await Promise.all([import('./generated/sqlite/client'), import('./sqlite-adapter')])
  return new PrismaClient({ adapter: new BerthSqlite(options), transactionOptions: TRANSACTION })
}

async function openPostgres(url: string): Promise<Db> {
  const [{ PrismaClient }, { PrismaPg }] = await Promise.all([import('./generated/pg/client'), import('@prisma/adapter-pg')])
  const adapter = new PrismaPg({ connectionString: url, max: 10 })
  return new PrismaClient({ adapter, transactionOptions: TRANSACTION }) as unknown as Db
}

/** P2034: deadlock or write conflict. P2028 while starting: no connection or no lock in time. P1008: SQLite stayed busy. */
function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof PrismaClientKnownRequestError)) return false
  return (
    error.code === 'P2034' || error.code === 'P1008' || (error.code === 'P2028' && /start a transaction/i.test(error.message))
  )
}
