import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { backUp, backUpBefore, backupIfDue, listBackups } from './backup'
import { migrateSqlite } from './migrate-sqlite'

const HOUR_MS = 3_600_000
const START = new Date('2026-03-02T10:00:00.000Z')
const later = (hours: number) => new Date(START.getTime() + hours * HOUR_MS)

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'berth-backup-'))
  file = path.join(folder, 'berth.db')
  migrateSqlite(file, 'prisma/sqlite/migrations')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const counter = (of: string) => {
  const db = new Database(of, { readonly: true })
  const value = db.prepare('SELECT "value" FROM "change_counter"').pluck().get()
  db.close()
  return value
}

describe('a backup', () => {
  it('B6: is one private, whole file with what was committed, though somebody writes meanwhile', async () => {
    const writer = new Database(file)
    const raise = () => writer.exec('UPDATE "change_counter" SET "value" = "value" + 1')
    raise()
    const timer = setInterval(raise, 1)
    const made = await backUp(file, 'test', START)
    clearInterval(timer)
    writer.close()
    expect(made).toBe(path.join(folder, 'backups', 'berth-2026-03-02T10-00-00Z-test.db'))
    expect(statSync(made).mode & 0o777).toBe(0o600)
    expect(statSync(path.dirname(made)).mode & 0o777).toBe(0o700)
    expect(readdirSync(path.dirname(made))).toEqual([path.basename(made)])
    expect(counter(made)).toBeGreaterThan(0)
    expect(migrateSqlite(made, 'prisma/sqlite/migrations')).toEqual([])
  })

  it('of a broken database is refused and leaves no file that looks like one', async () => {
    const db = new Database(file)
    const pageBytes = Number(db.pragma('page_size', { simple: true }))
    db.pragma('journal_mode = DELETE')
    db.close()
    const handle = openSync(file, 'r+')
    writeSync(handle, Buffer.alloc(pageBytes * 10, 0xff), 0, pageBytes * 10, pageBytes * 4)
    closeSync(handle)
    await expect(backUp(file, 'test', START)).rejects.toThrow()
    expect(readdirSync(path.join(folder, 'backups'))).toEqual([])
  })

  it('is made hourly and kept 24 hours, then the newest of each of 7 days', async () => {
    expect(await backupIfDue(`file:${file}`, START)).not.toBeNull()
    expect(await backupIfDue(`file:${file}`, later(0.9))).toBeNull()
    const before = await backUp(file, 'before-0003_x', START)
    for (let hour = 1; hour <= 24 * 9; hour += 3) await backupIfDue(`file:${file}`, later(hour))
    const kept = listBackups(file).filter((backup) => backup.why === 'hourly')
    const last = later(24 * 9 - 2).getTime()
    expect(kept.filter((backup) => last - backup.at.getTime() <= 24 * HOUR_MS)).toHaveLength(9)
    const older = kept.filter((backup) => last - backup.at.getTime() > 24 * HOUR_MS)
    expect(new Set(older.map((backup) => backup.at.toISOString().slice(0, 10))).size).toBe(older.length)
    expect(older.length).toBeGreaterThanOrEqual(6)
    expect(last - (older.at(-1)?.at.getTime() ?? 0)).toBeLessThanOrEqual(7 * 24 * HOUR_MS)
    expect(statSync(before).size).toBeGreaterThan(0)
  })

  it('before a migration is kept until five newer ones are there, whatever its clock says', async () => {
    for (let day = 1; day <= 7; day++) await backUpBefore(file, `000${day}_x`, later(24 * day))
    await backUpBefore(file, '0008_x', START)
    const why = listBackups(file).map((backup) => backup.why)
    expect(why).toEqual(['before-0007_x', 'before-0006_x', 'before-0005_x', 'before-0004_x', 'before-0008_x'])
  })

  it('is nothing that Berth makes of PostgreSQL', async () => {
    expect(await backupIfDue('postgresql://localhost/none', START)).toBeNull()
  })
})
