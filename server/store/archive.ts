import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { LIMITS } from '@/domain/limits'
import { openOldEventsPostgres } from './archive-postgres'
import { openOldEventsSqlite } from './archive-sqlite'
import type { EventRow } from './old-events'
import { syncToDisk } from './sync-to-disk'
import { parseDatabaseUrl } from './url'

const SEGMENT_EVENTS = 10_000
const SEGMENTS_MAX = 200
const DAY_MS = 86_400_000

/**
 * Moves events older than 90 days into files, and returns them: one segment is gzipped JSON lines, whole on the disk before
 * its events leave the database. A run that was cut off writes the same segment again. Only at a start, by who migrates.
 */
export async function archiveOldEvents(url: string, folder: string, now: Date): Promise<string[]> {
  const place = parseDatabaseUrl(url)
  const before = new Date(now.getTime() - LIMITS.eventDays * DAY_MS)
  const old =
    place.provider === 'sqlite' ? openOldEventsSqlite(place.file, before) : await openOldEventsPostgres(place.url, before)
  const segments: string[] = []
  try {
    while (segments.length < SEGMENTS_MAX) {
      const rows = await old.read(SEGMENT_EVENTS)
      const [first] = rows
      if (!first) break
      segments.push(writeSegment(folder, `events-${first.id}.jsonl.gz`, rows))
      await old.drop(rows.map((row) => row.id))
    }
    return segments
  } finally {
    await old.close()
  }
}

function writeSegment(folder: string, name: string, rows: readonly EventRow[]): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = path.join(folder, name)
  const draft = `${file}.draft`
  const handle = openSync(draft, 'w', 0o600)
  try {
    chmodSync(draft, 0o600)
    // Unlike one write, which a disk that is nearly full may cut short without an error, this is all of it or a failure.
    writeFileSync(handle, gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join('')))
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(draft, file)
  syncToDisk(folder)
  return file
}
