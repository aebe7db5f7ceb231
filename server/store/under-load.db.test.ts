import { spawn, spawnSync } from 'node:child_process'
import Database from 'better-sqlite3'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { listWorkloadsInput } from '@/domain/workloads'
import { renameWorkload } from '@/server/service/operations'
import { createWorkload, listWorkloads } from '@/server/service/workloads'
import { freshDatabase, PROVIDERS, type Provider } from '@/testing/databases'
import { createInput, ctxFor, seedTenant } from '@/testing/seed'
import { until } from '@/testing/until'
import { raiseCounter } from './counter'
import { inTx, openDb } from './db'

/** What `npm run test:long` does beyond a short schedule. */
const WRITES = process.env.SOAK ? 2000 : 8
const KILLS = process.env.SOAK ? 60 : 2
const ROWS = process.env.SOAK ? 100_000 : 20_000

/** Somebody who reads all the time in one transaction; the answer ends it. */
const READERS: Record<Provider, (url: string) => Promise<() => Promise<void>>> = {
  sqlite: async (url) => {
    const reader = new Database(url.slice('file:'.length), { readonly: true })
    reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM workload_event').get()
    return async () => void reader.close()
  },
  postgres: async (url) => {
    const reader = new pg.Client(url)
    await reader.connect()
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    await reader.query('SELECT count(*) FROM workload_event')
    return () => reader.end()
  },
}

describe.each(PROVIDERS)('on %s', (provider) => {
  it('B4: eight who write beside one who reads all the time see no error, and none is starved', async () => {
    const { db, url, drop } = await freshDatabase(provider)
    const ctx = ctxFor(db, await seedTenant(db))
    const endReading = await READERS[provider](url)
    let done = 0
    /** How many writes of others were done while each one waited. */
    const passedBy: number[] = []
    const write = async (writer: number) => {
      const { id } = await createWorkload(ctx, createInput({ name: `w-${writer}` }))
      for (let n = 0; n < WRITES; n++) {
        const before = done
        await renameWorkload(ctx, id, `w-${writer}-${n}`)
        passedBy.push(done - before)
        done += 1
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)))
    await endReading()
    // A writer that is passed over again and again would wait for most of the run.
    expect(Math.max(...passedBy)).toBeLessThan(done / 2)
    expect(await db.workloadEvent.count()).toBe(8 + done)
    await drop()
  })

  it('B9: no list holds more than 100 rows or takes long, whatever is asked of many thousands', async () => {
    const { db, drop } = await freshDatabase(provider)
    const ctx = ctxFor(db, await seedTenant(db))
    const { id } = await createWorkload(ctx, createInput({ name: 'first' }))
    await db.$executeRawUnsafe(COPIES[provider], id)
    expect(await db.workload.count()).toBe(ROWS + 1)
    for (const asked of [{ limit: 1e9 }, { limit: 101 }, { cursor: 'garbage' }, { text: 'x'.repeat(10_000) }])
      expect(listWorkloadsInput.safeParse(asked).success).toBe(false)
    const took: number[] = []
    for (const asked of [
      {},
      { cursor: id },
      { text: 'nobody-has-this' },
      { text: 'copy-19999' },
      { kinds: ['notebook'] },
      { mine: true },
    ]) {
      const at = performance.now()
      const { rows } = await listWorkloads(ctx, listWorkloadsInput.parse({ limit: 100, ...asked }))
      took.push(performance.now() - at)
      expect(rows.length).toBeLessThanOrEqual(100)
    }
    expect(Math.max(...took)).toBeLessThan(process.env.SOAK ? 500 : 5000)
    await drop()
  })
})

/** So many copies of one row, each with an id, a label and a name of its own. */
const COPIES: Record<Provider, string> = {
  sqlite: copies(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS})`, {
    from: 'n',
    where: 'id = ?',
    id: `printf('%08x-0000-7000-8000-000000000000', i)`,
    name: `'copy-' || i`,
    at: 'created_at',
  }),
  postgres: copies('', {
    ...{ from: `generate_series(1, ${ROWS}) AS n(i)`, where: 'id = $1', at: 'created_at' },
    ...{ id: `lpad(to_hex(i), 8, '0') || '-0000-7000-8000-000000000000'`, name: `'copy-' || i` },
  }),
}

function copies(first: string, row: { from: string; where: string; id: string; name: string; at: string }): string {
  return `${first} INSERT INTO workload (id, tenant_id, owner_id, kind, name, live_name, label, spec, state, state_since, created_at)
    SELECT ${row.id}, tenant_id, owner_id, kind, ${row.name}, ${row.name}, ${row.name}, spec, state, state_since, ${row.at}
    FROM workload, ${row.from} WHERE ${row.where}`
}

/** Another process at the same file: each commit is said once it is there, and the log is checkpointed all the time. */
const WRITER = `
import Database from 'better-sqlite3'
const [, file, name] = process.argv
const db = new Database(file, { timeout: 15000 })
db.pragma('synchronous = FULL')
const write = db.prepare('INSERT INTO lease (name, holder, epoch, expires_at) VALUES (?, ?, 1, 0)')
for (let i = 0; ; i++) {
  db.exec('BEGIN IMMEDIATE')
  write.run(name + '-' + i, name)
  db.exec('COMMIT')
  process.stdout.write(name + '-' + i + '\\n')
  if (i % 5 === 0) db.pragma('wal_checkpoint(TRUNCATE)')
}
`

it('X41: two processes that write and checkpoint, killed again and again, lose no commit and damage no page', async () => {
  const { db, url, drop } = await freshDatabase('sqlite')
  const file = url.slice('file:'.length)
  const acknowledged: string[] = []
  const beside = (name: string) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', WRITER, file, name])
    const ended = new Promise((resolve) => child.once('close', resolve))
    let said = ''
    child.stdout.on('data', (text) => (said += text))
    return { kill: () => child.kill('SIGKILL'), lines: () => said.split('\n').slice(0, -1), ended }
  }
  const own = await openDb(url)
  for (let n = 0; n < KILLS; n++) {
    const writers = [beside(`a${n}`), beside(`b${n}`)]
    await until('both wrote', () => writers.every((writer) => writer.lines().length > 3))
    await inTx(own, raiseCounter)
    for (const writer of writers) writer.kill()
    await Promise.all(writers.map((writer) => writer.ended))
    acknowledged.push(...writers.flatMap((writer) => writer.lines()))
  }
  const names = new Set((await own.lease.findMany({ select: { name: true } })).map((row) => row.name))
  expect(acknowledged.length).toBeGreaterThan(KILLS * 6)
  expect(acknowledged.filter((name) => !names.has(name))).toEqual([])
  expect(await own.$queryRawUnsafe('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
  await own.$disconnect()
  await db.$disconnect()
  await drop()
})

/** A process that counts up each time it is told to, and says the new value or the code of its failure. */
const COUNTING = `
import { createInterface } from 'node:readline'
import { raiseCounter, readCounter } from '@/server/store/counter'
import { inTx, openDb } from '@/server/store/db'
process.on('SIGXFSZ', () => undefined)
const db = await openDb(process.argv[1])
const count = async () => (await inTx(db, raiseCounter), String(await readCounter(db)))
for await (const _line of createInterface({ input: process.stdin }))
  process.stdout.write((await count().catch(async (error) => error.code + ' at ' + (await readCounter(db)))) + '\\n')
process.exit(0)
`

it('X44: a disk that refuses every write is told as such, nothing of a write is kept, reads go on, and so do writes later', async () => {
  const { db, url, drop } = await freshDatabase('sqlite')
  await db.$disconnect()
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', COUNTING, url])
  let said = ''
  child.stdout.on('data', (text) => (said += text))
  const answer = async () => {
    const before = said.length
    child.stdin.write('\n')
    await until('it answers', () => said.slice(before).includes('\n'))
    return said.slice(before).trim()
  }
  expect(await answer()).toBe('1')
  const limit = (size: string) => spawnSync('prlimit', ['--pid', String(child.pid), `--fsize=${size}:`])
  expect(limit('4096').status).toBe(0)
  expect([await answer(), await answer()]).toEqual(['unavailable at 1', 'unavailable at 1'])
  limit('unlimited')
  expect(await answer()).toBe('2')
  child.stdin.end()
  await new Promise((resolve) => child.once('close', resolve))
  await drop()
})
