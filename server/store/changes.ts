import { setMaxListeners } from 'node:events'
import { ChangeSource, type Feed } from './change-source'
import { watchPostgres } from './changes-postgres'
import { watchSqlite } from './changes-sqlite'
import { readCounter } from './counter'
import { type Db, placeOf } from './db'

/** Looked at even when no signal came: a missed one costs two seconds, never a hang. */
const SAFETY_MS = 2000

const sources = new WeakMap<Db, ChangeSource>()

export type WatchOptions = {
  signal: AbortSignal
  /** The value that the caller knows: a higher one is yielded at once. Default: the counter at the first look. */
  after?: number
  /** The safety tick. */
  everyMs?: number
}

/**
 * Yields the change counter each time it rose, until `signal` aborts. Several rises may come as one. All watchers of a
 * process share one reader of the database's signal.
 */
export async function* watchChanges(db: Db, options: WatchOptions): AsyncGenerator<number> {
  const { signal, everyMs: timeoutMs = SAFETY_MS } = options
  setMaxListeners(0, signal) // one signal may end any number of watchers
  const source = sourceOf(db)
  const leave = source.join()
  try {
    let last = options.after ?? (await readCounter(db))
    while (!signal.aborted) {
      // Before the look: a signal between look and wait is one to wake for.
      const { signals: seen } = source
      const now = await readCounter(db)
      if (now <= last) {
        await source.next({ seen, timeoutMs, signal })
        continue
      }
      last = now
      yield now
    }
  } finally {
    leave()
  }
}

function sourceOf(db: Db): ChangeSource {
  const known = sources.get(db)
  if (known) return known
  const place = placeOf(db)
  const start = (feed: Feed) => (place.provider === 'sqlite' ? watchSqlite(place.file, feed) : watchPostgres(place.url, feed))
  const source = new ChangeSource(start)
  sources.set(db, source)
  return source
}
