import { statSync } from 'node:fs'
import path from 'node:path'

/**
 * Remembers which file was opened. A file that was removed or replaced goes on living for who has it open: what is written
 * into it would be lost in silence.
 */
export class OpenedFile {
  readonly #file: string
  readonly #id: string

  constructor(file: string) {
    this.#file = file
    this.#id = identity(file)
  }

  /** Throws as SQLite does for an input or output error when the name leads elsewhere now. */
  requireSame(): void {
    if (identity(this.#file) === this.#id) return
    throw Object.assign(new Error('the database file was removed or replaced while it was open'), { code: 'SQLITE_IOERR' })
  }
}

function identity(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false })
  return found ? `${found.dev}:${found.ino}` : 'none'
}

/** Runs work on a file at a start; a damaged one is named with where its copies are, and Berth does not start on it. */
export function onSoundFile<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    if (!isDamage(cause)) throw cause
    const copies = path.join(path.dirname(file), 'backups')
    throw new Error(`the database ${file} is damaged; put the newest sound copy from ${copies} in its place`, { cause })
  }
}

/** What SQLite says of itself is turned into its own error. */
export function requireSound(says: unknown): void {
  if (says !== 'ok') throw Object.assign(new Error(`integrity check: ${String(says)}`), { code: 'SQLITE_CORRUPT' })
}

function isDamage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(error.code))
}
