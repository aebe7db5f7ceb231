import { ChangeSource, type Feed } from './change-source'
import { watchPostgres } from './changes-postgres'
import { watchSqlite } from './changes-sqlite'
import { readCounter } from './counter'
import { type Db, placeOf } from './db'

/** Looked at even when no signal came: a missed one costs a second, never a hang. */
const SAFETY_MS = 1000

const sources = new WeakMap<Db, ChangeSource>()

/**
 * Yields the change counter each time it rose, until `signal` aborts. Several rises may come as one. The first value
 * comes at the first rise after the call. All watchers of a process share one reader.
 */
export async function* watchChanges(db: Db, options: { signal: AbortSignal; everyMs?: number }): AsyncGenerator<number> {
  const source = sourceOf(db)
  const leave = source.join()
  const { signal, everyMs: timeoutMs = SAFETY_MS } = options
  try {
    let last = await readCounter(db)
    let { signals: seen } = source
    while (!signal.aborted) {
      await source.next({ seen, timeoutMs, signal })
      if (signal.aborted) return
      seen = source.signals
      const now = await readCounter(db)
      if (now <= last) continue
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
