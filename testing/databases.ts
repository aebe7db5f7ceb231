import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import { type Db, openDb } from '@/server/store/db'

export const PROVIDERS = ['sqlite', 'postgres'] as const
export type Provider = (typeof PROVIDERS)[number]

/** Runs a suite on a fresh, migrated database of each kind. `get` works inside hooks and tests. */
export function eachProvider(name: string, body: (get: () => Db, provider: Provider) => void): void {
  describe.each(PROVIDERS)(`${name} on %s`, (provider) => {
    let made: { db: Db; drop: () => Promise<void> } | null = null
    beforeAll(async () => {
      made = await freshDatabase(provider)
    })
    afterAll(async () => {
      await made?.drop()
    })
    body(() => {
      if (!made) throw new Error('the database is there only inside hooks and tests')
      return made.db
    }, provider)
  })
}

/** A database of its own, copied from the run's template. */
export async function freshDatabase(provider: Provider): Promise<{ url: string; db: Db; drop: () => Promise<void> }> {
  const { url, remove } = provider === 'sqlite' ? copySqlite() : await copyPostgres()
  const db = await openDb(url, { synchronous: 'NORMAL' })
  return {
    url,
    db,
    drop: async () => {
      await db.$disconnect()
      await remove()
    },
  }
}

/** A copy of a database that nobody has open now, as a backup of it is. */
export async function copyDatabase(url: string): Promise<{ url: string; remove: () => Promise<void> }> {
  if (url.startsWith('file:')) {
    const file = `${url.slice('file:'.length)}-copy`
    copyFileSync(url.slice('file:'.length), file)
    return { url: `file:${file}`, remove: async () => removeSqlite(file) }
  }
  const copy = new URL(url)
  const name = `${copy.pathname.slice(1)}_copy`
  await administer(`CREATE DATABASE ${name} TEMPLATE ${copy.pathname.slice(1)}`)
  copy.pathname = `/${name}`
  return { url: copy.href, remove: () => administer(`DROP DATABASE ${name} WITH (FORCE)`) }
}

/** Ends every connection to a PostgreSQL database and lets nobody in until the answer is called. */
export async function closeDatabase(url: string): Promise<() => Promise<void>> {
  const name = new URL(url).pathname.slice(1)
  await administer(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`)
  await administer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`)
  return () => administer(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`)
}

/** In a folder of its own: what lies beside a database, such as its backups, is no other test's. */
function copySqlite(): { url: string; remove: () => Promise<void> } {
  const template = inject('sqliteTemplate')
  const folder = path.join(path.dirname(template), randomUUID())
  const file = path.join(folder, 'berth.db')
  mkdirSync(folder, { mode: 0o700 })
  copyFileSync(template, file)
  return { url: `file:${file}`, remove: async () => rmSync(folder, { recursive: true, force: true }) }
}

function removeSqlite(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '.reserve']) rmSync(file + suffix, { force: true })
}

async function copyPostgres(): Promise<{ url: string; remove: () => Promise<void> }> {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  await administer(`CREATE DATABASE ${name} TEMPLATE berth_template`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return { url: url.href, remove: () => administer(`DROP DATABASE ${name} WITH (FORCE)`) }
}

/** Copies of one template wait for each other on the server; two at once would be refused. */
async function administer(sql: string): Promise<void> {
  const admin = new pg.Client(inject('postgresUrl'))
  await admin.connect()
  try {
    await admin.query('SELECT pg_advisory_lock(1)')
    await admin.query(sql)
  } finally {
    await admin.end()
  }
}
