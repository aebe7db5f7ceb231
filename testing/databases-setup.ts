import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migratePostgres } from '@/server/store/migrate-postgres'
import { migrateSqlite } from '@/server/store/migrate-sqlite'
import { startPostgres } from './postgres-server'

declare module 'vitest' {
  interface ProvidedContext {
    /** Administrator's address of the test server. */
    postgresUrl: string
    /** A migrated SQLite file; tests copy it. */
    sqliteTemplate: string
  }
}

/** One migrated template per dialect for the whole run. `BERTH_TEST_PG` names a server to use instead of a throw-away one. */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'berth-db-'))
  const sqliteTemplate = path.join(folder, 'template.db')
  migrateSqlite(sqliteTemplate, 'prisma/sqlite/migrations')
  const server = process.env.BERTH_TEST_PG ? { url: process.env.BERTH_TEST_PG, stop: () => undefined } : await startPostgres()
  await makeTemplate(server.url)
  project.provide('postgresUrl', server.url)
  project.provide('sqliteTemplate', sqliteTemplate)
  return () => {
    server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function makeTemplate(url: string): Promise<void> {
  const admin = new pg.Client(url)
  await admin.connect()
  await admin.query('DROP DATABASE IF EXISTS berth_template')
  await admin.query('CREATE DATABASE berth_template')
  await admin.end()
  const template = new URL(url)
  template.pathname = '/berth_template'
  await migratePostgres(template.href, 'prisma/migrations')
}
