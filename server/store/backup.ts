import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { syncToDisk } from './sync-to-disk'
import { parseDatabaseUrl } from './url'

/** A copy of a SQLite database beside it, in the folder `backups`. */
export type Backup = { file: string; at: Date; why: string }

const FOLDER = 'backups'
const HOURLY = 'hourly'
const HOUR_MS = 3_600_000
const HOURS_KEPT = 24
const DAYS_KEPT = 7
const BEFORE = 'before-'
const MIGRATIONS_KEPT = 5
/** Pages a step: a copy that is done in few steps is not begun again by every write beside it. */
const PAGES = 4096
/** What must stay free on the disk behind a copy. */
const SPARE_BYTES = 256 * 2 ** 20
const NAME = /^berth-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d)Z-([\w.-]+)\.db$/

/**
 * Makes the hourly backup of a SQLite database when the newest is an hour old, and drops those that are neither of the
 * last 24 hours nor the newest of one of the last 7 days. Returns its file; null when none is due, or with PostgreSQL,
 * which has tools of its own. Never the key file, never workspaces. Throws when there is no room or the copy is not sound.
 */
export async function backupIfDue(url: string, now: Date): Promise<string | null> {
  const place = parseDatabaseUrl(url)
  if (place.provider !== 'sqlite') return null
  const newest = hourlyBackups(place.file)[0]
  if (newest && now.getTime() - newest.at.getTime() < HOUR_MS) return null
  const made = await backUp(place.file, HOURLY, now)
  for (const old of spare(hourlyBackups(place.file), now)) rmSync(old.file, { force: true })
  return made
}

/** Copies a database before a migration touches it, and drops all but the newest few of such copies. Returns its file. */
export async function backUpBefore(file: string, migration: string, now: Date): Promise<string> {
  const made = await backUp(file, `${BEFORE}${migration}`, now)
  const older = listBackups(file).filter((backup) => backup.why.startsWith(BEFORE) && backup.file !== made)
  for (const old of older.slice(MIGRATIONS_KEPT - 1)) rmSync(old.file, { force: true })
  return made
}

/**
 * Copies a database with SQLite's online backup, whoever writes to it meanwhile; checks the copy and gives it its name only
 * then. A copy that was interrupted is never taken for one.
 */
export async function backUp(file: string, why: string, now: Date): Promise<string> {
  const folder = path.join(path.dirname(file), FOLDER)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  requireRoom(file, folder)
  const draft = path.join(folder, `.${randomUUID()}.draft`)
  try {
    await copy(file, draft)
    verify(draft)
    const name = path.join(folder, `berth-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z-${why}.db`)
    renameSync(draft, name)
    syncToDisk(folder)
    return name
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(draft + suffix, { force: true })
  }
}

/** Every backup beside a database, the newest first. */
export function listBackups(file: string): Backup[] {
  const folder = path.join(path.dirname(file), FOLDER)
  if (!existsSync(folder)) return []
  const found = readdirSync(folder).flatMap((name): Backup[] => {
    const [, day, hour, minute, second, why] = NAME.exec(name) ?? []
    if (!day || !why) return []
    return [{ file: path.join(folder, name), at: new Date(`${day}${hour}:${minute}:${second}Z`), why }]
  })
  return found.sort((a, b) => b.at.getTime() - a.at.getTime())
}

function hourlyBackups(file: string): Backup[] {
  return listBackups(file).filter((backup) => backup.why === HOURLY)
}

/** Those that no rule keeps. One of the future, after a clock was set back, counts as new. */
function spare(newestFirst: readonly Backup[], now: Date): Backup[] {
  const days = new Set<string>()
  return newestFirst.filter(({ at }) => {
    const day = at.toISOString().slice(0, 10)
    const isFirstOfDay = !days.has(day)
    days.add(day)
    const ageMs = now.getTime() - at.getTime()
    const isKept = ageMs <= HOURS_KEPT * HOUR_MS || (isFirstOfDay && ageMs <= DAYS_KEPT * 24 * HOUR_MS)
    return !isKept
  })
}

function requireRoom(file: string, folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  const needed = statSync(file).size + SPARE_BYTES
  if (bavail * bsize < needed)
    throw new Error(`no room for a backup of the database: ${folder} has less than ${Math.ceil(needed / 2 ** 20)} MiB free`)
}

async function copy(file: string, to: string): Promise<void> {
  closeSync(openSync(to, 'wx', 0o600)) // private before anything is in it
  const source = new Database(file, { readonly: true, fileMustExist: true })
  try {
    await source.backup(to, { progress: () => PAGES })
  } finally {
    source.close()
  }
}

function verify(copied: string): void {
  const db = new Database(copied, { fileMustExist: true })
  try {
    db.pragma('journal_mode = DELETE') // one file, with nothing beside it
    const says = db.pragma('integrity_check(1)', { simple: true })
    if (says !== 'ok') throw new Error(`the copy of the database is not sound: ${String(says)}`)
    if (db.prepare('PRAGMA foreign_key_check').all().length > 0) throw new Error('the copy of the database has broken references')
  } finally {
    db.close()
  }
  syncToDisk(copied)
}
