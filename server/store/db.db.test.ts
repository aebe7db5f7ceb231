import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { promisify } from 'node:util'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { eachProvider, freshDatabase } from '@/testing/databases'
import { raiseCounter, readCounter } from './counter'
import { inTx, openDb, placeOf } from './db'

const run = promisify(execFile)

/** Another process at the same file: read-then-write transactions as fast as it can, as a controller beside the web. */
const WRITER = `
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
const [, file, count] = process.argv
const db = new Database(file, { timeout: 5000 })
const read = db.prepare('SELECT "value" FROM "change_counter" WHERE "id" = 1').pluck()
const write = db.prepare('UPDATE "change_counter" SET "value" = ? WHERE "id" = 1')
for (let i = 0; i < Number(count); i++) {
  db.exec('BEGIN IMMEDIATE')
  write.run(read.get() + 1)
  db.exec('COMMIT')
  if (i % 10 === 0) await wait(1)
}
db.close()
`

eachProvider('a transaction', (get) => {
  it('is seen by nobody before it ends, and by nobody when it fails', async () => {
    const before = await readCounter(get())
    const failed = inTx(get(), async (tx) => {
      await raiseCounter(tx)
      expect(await readCounter(get())).toBe(before)
      throw new Error('on purpose')
    })
    await expect(failed).rejects.toThrow('on purpose')
    expect(await readCounter(get())).toBe(before)
  })

  it('loses no update when 100 read and write the same row', async () => {
    const before = await readCounter(get())
    await Promise.all(Array.from({ length: 100 }, () => inTx(get(), raiseCounter)))
    expect(await readCounter(get())).toBe(before + 100)
  })

  it('keeps a write beside it out: its rollback takes nothing of others with it', async () => {
    const before = await readCounter(get())
    const outside = { name: `outside-${before}`, holder: 'x', expiresAt: new Date(0) }
    await get().lease.create({ data: { ...outside, epoch: 1 } })
    let beside: Promise<unknown> = Promise.resolve()
    const failed = inTx(get(), async (tx) => {
      await tx.lease.create({ data: { name: 'inside', holder: 'x', epoch: 1, expiresAt: new Date(0) } })
      const renewed = get().lease.updateMany({ where: { name: outside.name }, data: { epoch: 2 } })
      beside = Promise.all([raiseCounter(get()), renewed])
      await new Promise((resolve) => setImmediate(resolve))
      throw new Error('on purpose')
    })
    await expect(failed).rejects.toThrow('on purpose')
    await beside
    expect(await readCounter(get())).toBe(before + 1)
    expect(await get().lease.count({ where: { name: 'inside' } })).toBe(0)
    expect(await get().lease.findUnique({ where: { name: outside.name } })).toMatchObject({ epoch: 2 })
  })
})

describe('the SQLite file', () => {
  it('and its -wal and -shm belong to their owner alone', async () => {
    const { db, drop } = await freshDatabase('sqlite')
    await raiseCounter(db)
    const place = placeOf(db)
    const file = place.provider === 'sqlite' ? place.file : ''
    for (const suffix of ['', '-wal', '-shm']) expect(statSync(file + suffix).mode & 0o777).toBe(0o600)
    await drop()
  })

  it('B3: is written with FULL synchronous unless a test says otherwise', async () => {
    const { db, url, drop } = await freshDatabase('sqlite')
    const production = await openDb(url)
    const level = 'PRAGMA synchronous'
    // PRAGMA goes to the writer: FULL is 2, NORMAL is 1.
    expect(await production.$queryRawUnsafe(level)).toEqual([{ synchronous: 2n }])
    expect(await db.$queryRawUnsafe(level)).toEqual([{ synchronous: 1n }])
    await production.$disconnect()
    await drop()
  })

  it('is never made by an address that is refused', async () => {
    await expect(openDb('file::memory:')).rejects.toThrow(/database address/)
    await expect(openDb('file:berth-odd.db?mode=memory')).rejects.toThrow(/database address/)
    expect(existsSync('berth-odd.db')).toBe(false)
  })

  it('B2: takes the writes of two processes without an error or a lost update', async () => {
    const { db, url, drop } = await freshDatabase('sqlite')
    const other = run(process.execPath, ['--input-type=module', '-e', WRITER, url.slice('file:'.length), '300'])
    const mine = Promise.all(Array.from({ length: 300 }, () => inTx(db, raiseCounter)))
    await Promise.all([other, mine])
    expect(await readCounter(db)).toBe(600)
    await drop()
  })

  it('waits for the other process before a transaction reads anything', async () => {
    const { db, url, drop } = await freshDatabase('sqlite')
    const other = new Database(url.slice('file:'.length))
    other.exec('BEGIN IMMEDIATE')
    const mine = inTx(db, async (tx) => {
      const value = await readCounter(tx)
      await tx.changeCounter.update({ where: { id: 1 }, data: { value: value + 1 } })
    })
    // Longer than three attempts of a transaction would take that found out half-way.
    setTimeout(() => {
      other.exec('UPDATE "change_counter" SET "value" = 10')
      other.exec('COMMIT')
    }, 700)
    await mine
    expect(await readCounter(db)).toBe(11)
    other.close()
    await drop()
  })

  it('leaves timers a turn while it is busy', async () => {
    const { db, drop } = await freshDatabase('sqlite')
    let turns = 0
    const timer = setInterval(() => turns++, 5)
    await Promise.all(Array.from({ length: 300 }, () => inTx(db, raiseCounter)))
    clearInterval(timer)
    expect(turns).toBeGreaterThan(5)
    await drop()
  })
})
