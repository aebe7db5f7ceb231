import { randomUUID } from 'node:crypto'
import { copyFileSync, rmSync } from 'node:fs'
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

function copySqlite(): { url: string; remove: () => Promise<void> } {
  const template = inject('sqliteTemplate')
  const file = path.join(path.dirname(template), `${randomUUID()}.db`)
  copyFileSync(template, file)
  const remove = async () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
  }
  return { url: `file:${file}`, remove }
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
