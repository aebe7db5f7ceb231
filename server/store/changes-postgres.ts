import pg from 'pg'
import type { Feed } from './change-source'

const CHANNEL = 'berth_changes'
const RETRY_MS = 1000

/** Listens for the counter's trigger on a connection of its own; a lost connection is made again, and counts as a change. */
export function watchPostgres(url: string, feed: Feed): () => void {
  let isStopped = false
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined

  const connect = async () => {
    const next = new pg.Client({ connectionString: url, keepAlive: true })
    client = next
    next.on('notification', () => feed.changed())
    // An 'error' ends the connection; 'end' follows it and makes the next one.
    next.on('error', () => undefined)
    next.on('end', again)
    await next.connect()
    await next.query(`LISTEN ${CHANNEL}`)
    feed.changed() // what happened while nobody listened
  }
  const start = () => void connect().catch(again)
  const again = () => {
    if (isStopped) return
    clearTimeout(timer)
    timer = setTimeout(start, RETRY_MS)
    timer.unref()
  }

  start()
  return () => {
    isStopped = true
    clearTimeout(timer)
    void client?.end().catch(() => undefined) // closing a connection that is gone already is fine
  }
}
