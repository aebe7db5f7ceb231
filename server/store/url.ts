import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** Where the rows are: a SQLite file or a PostgreSQL server. */
export type DatabasePlace = { provider: 'sqlite'; file: string } | { provider: 'postgres'; url: string }

/**
 * Reads a database address. Accepts `postgresql://…` and `file:` with one absolute path; an in-memory database, a
 * relative path and SQLite's own URI options are refused, because each would quietly be another database.
 */
export function parseDatabaseUrl(url: string): DatabasePlace {
  if (/^postgres(ql)?:\/\//.test(url)) return { provider: 'postgres', url }
  if (!url.startsWith('file:')) throw new Error('database address: a postgresql:// address or file: with an absolute path')
  const file = url.slice('file:'.length)
  if (!path.isAbsolute(file) || file.startsWith('//') || file.endsWith('/') || /[?#%]|:memory:/.test(file) || file.includes('\0'))
    throw new Error('database address: file: needs one absolute path without ?, # or %')
  return { provider: 'sqlite', file: path.normalize(file) }
}

/** The address that a process uses: the one it was given, or the file in the data directory. */
export function databaseUrl(settings: { BERTH_HOME: string; BERTH_DATABASE_URL?: string | undefined }): string {
  return settings.BERTH_DATABASE_URL ?? `file:${path.join(settings.BERTH_HOME, 'berth.db')}`
}

/** Makes the folder of a SQLite file (0700) and refuses one that others may write to: they could swap the file. */
export function preparePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if ((statSync(folder).mode & 0o022) !== 0) throw new Error(`${folder}: others may write to this folder; chmod go-w it`)
}
