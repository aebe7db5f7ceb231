import Database from 'better-sqlite3'
import type { Feed } from './change-source'

const POLL_MS = 60
/** Right after a change, when the next one is likely: a start is a chain of them through several processes. */
const BUSY_POLL_MS = 4
const BUSY_FOR_MS = 2000

/**
 * Watches a SQLite file from a connection of its own: `data_version` moves when any other connection, of any process,
 * committed. The counter says whether it was a change that matters. About 20 µs a look.
 */
export function watchSqlite(file: string, feed: Feed): () => void {
  const reader = new Database(file, { readonly: true, timeout: 0 })
  const dataVersion = reader.prepare('PRAGMA data_version').pluck()
  const counter = reader.prepare('SELECT "value" FROM "change_counter" WHERE "id" = 1').pluck()
  let seenVersion = dataVersion.get()
  let seenValue: unknown = counter.get()
  let changedAt = Number.NEGATIVE_INFINITY
  const look = () => {
    const version = dataVersion.get()
    if (version === seenVersion) return
    const value = counter.get()
    seenVersion = version // not before: a look that finds the file busy must leave the change to the next one
    if (value === seenValue) return
    seenValue = value
    changedAt = performance.now()
    feed.changed()
  }
  const again = () => {
    ignoreBusy(look)
    if (!reader.open) return
    timer = setTimeout(again, performance.now() - changedAt < BUSY_FOR_MS ? BUSY_POLL_MS : POLL_MS).unref()
  }
  let timer = setTimeout(again, POLL_MS).unref()
  return () => {
    clearTimeout(timer)
    reader.close()
  }
}

/** A checkpoint may hold the file for a moment; the next look, or the safety tick, finds the change. */
function ignoreBusy(look: () => void): void {
  try {
    look()
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error
  }
}
