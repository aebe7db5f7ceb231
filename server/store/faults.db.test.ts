import { copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { createWorkload } from '@/server/service/workloads'
import { freshDatabase } from '@/testing/databases'
import { createInput, ctxFor, seedTenant } from '@/testing/seed'
import { inTx, openDb } from './db'
import { migrateSqlite } from './migrate-sqlite'

const LOCKED_MS = 150
const unavailable = { name: 'AppError', code: 'unavailable' }

describe('a database in trouble', () => {
  it('X42: that is full refuses a whole request, keeps nothing of it, and takes it once there is room', async () => {
    const { db, drop } = await freshDatabase('sqlite')
    const ctx = ctxFor(db, await seedTenant(db))
    const fillTo = async (spare: number) => {
      const [row] = await db.$queryRawUnsafe<{ page_count: bigint }[]>('PRAGMA page_count')
      await db.$queryRawUnsafe(`PRAGMA max_page_count = ${Number(row?.page_count) + spare}`)
    }
    const input = createInput({ idempotencyKey: 'k', spec: { command: ['x'.repeat(4000), 'y'.repeat(4000)] } })
    await fillTo(0)
    const failed = createWorkload(ctx, input)
    await expect(failed).rejects.toMatchObject({ code: 'storage_full' })
    await expect(failed).rejects.not.toThrow(/lease|prisma|SQLITE|\.ts/i)
    expect(await db.workload.count()).toBe(0)
    expect(await db.idempotencyKey.count()).toBe(0)
    expect(await db.quota.findMany({ select: { version: true } })).toEqual([{ version: 0 }])
    await fillTo(1000)
    const made = await createWorkload(ctx, input)
    expect((await createWorkload(ctx, input)).id).toBe(made.id)
    await drop()
  })

  it('X38: that another process holds is waited for within a bound, then refused with nothing kept', async () => {
    const { db, url, drop } = await freshDatabase('sqlite')
    const ctx = ctxFor(db, await seedTenant(db))
    const impatient = await openDb(url, { synchronous: 'NORMAL', waitMs: LOCKED_MS })
    const other = new Database(url.slice('file:'.length))
    other.exec('BEGIN IMMEDIATE')
    const startedAt = performance.now()
    await expect(createWorkload({ ...ctx, db: impatient }, createInput())).rejects.toMatchObject(unavailable)
    await expect(impatient.lease.deleteMany()).rejects.toMatchObject(unavailable)
    expect(performance.now() - startedAt).toBeLessThan(40 * LOCKED_MS)
    expect(await impatient.workload.count()).toBe(0) // reads go on meanwhile
    const waiting = Array.from({ length: 5 }, (_, i) => createWorkload(ctx, createInput({ name: `w-${i}` })))
    setTimeout(() => other.exec('COMMIT'), 4 * LOCKED_MS)
    expect(await Promise.all(waiting)).toHaveLength(5)
    expect(await db.workload.count()).toBe(5)
    other.close()
    await impatient.$disconnect()
    await drop()
  })

  it('X39: whose file was removed or replaced takes no more writes, and says so', async () => {
    const { db, url, drop } = await freshDatabase('sqlite')
    const file = url.slice('file:'.length)
    const ctx = ctxFor(db, await seedTenant(db))
    for (const trouble of [() => renameSync(file, `${file}-away`), () => copyFileSync(`${file}-away`, file)]) {
      trouble()
      await expect(createWorkload(ctx, createInput())).rejects.toMatchObject(unavailable)
      await expect(db.lease.deleteMany()).rejects.toMatchObject(unavailable)
    }
    renameSync(`${file}-away`, file)
    await createWorkload(ctx, createInput())
    await drop()
  })

  it('X40: whose pages are damaged is refused at the start, with where its copies are', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'berth-damaged-'))
    const file = path.join(folder, 'berth.db')
    migrateSqlite(file, 'prisma/sqlite/migrations')
    const whole = readFileSync(file)
    const damaged = { middle: Buffer.from(whole).fill(0xff, 40_000, 80_000), head: Buffer.from(whole).fill(0, 0, 100) }
    for (const bytes of Object.values(damaged)) {
      writeFileSync(file, bytes)
      expect(() => migrateSqlite(file, 'prisma/sqlite/migrations')).toThrow(/is damaged; put the newest sound copy/)
      expect(readFileSync(file)).toEqual(bytes)
    }
    rmSync(folder, { recursive: true })
  })

  it('X37: that is not there is said so, and is used again when it is back', async () => {
    const gone = await openDb('postgresql://127.0.0.1:1/none')
    await expect(gone.lease.count()).rejects.toMatchObject(unavailable)
    await expect(inTx(gone, (tx) => tx.lease.count())).rejects.toMatchObject(unavailable)
    await gone.$disconnect()
    const { db, drop } = await freshDatabase('postgres')
    const ctx = ctxFor(db, await seedTenant(db))
    await createWorkload(ctx, createInput())
    const cut =
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()'
    const tries = await Promise.allSettled([
      db.$queryRawUnsafe(cut),
      ...Array.from({ length: 10 }, () => createWorkload(ctx, createInput())),
    ])
    const refused = tries.slice(1).filter((one) => one.status === 'rejected')
    for (const one of refused) expect(one.reason).toMatchObject(unavailable)
    await createWorkload(ctx, createInput())
    expect(await db.workload.count()).toBe(12 - refused.length)
    await drop()
  })
})
