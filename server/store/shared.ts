import { type Db, openDb } from './db'

const holder = globalThis as { berthDb?: Db }

/** Opens the process's database, once: it lives on globalThis, because Next bundles this module more than once. */
export async function initDb(url: string): Promise<Db> {
  holder.berthDb ??= await openDb(url)
  return holder.berthDb
}

/** Closes the process's database; the last step of a shutdown. */
export async function closeDb(): Promise<void> {
  const db = holder.berthDb
  delete holder.berthDb
  await db?.$disconnect()
}
