import type { SearchAnswer, SearchAsk } from '@/protocol/read'
import type { RecordTime } from '../host/record-times'
import type { Kept } from './kept'
import { partBytes } from './printed-bytes'
import { PrintedLines } from './printed-lines'
import { type Part, partsOf, timesOf } from './stored-bytes'

type Found = { seq: number; line: string; end: number }
type Match = SearchAnswer['matches'][number]
type Search = { text: string; limit: number; until: number; signal: AbortSignal }

/** A search may take so long; what was found until then is answered, and that it is not everything. */
const SEARCH_MS = 5000
const CHUNK_BYTES = 262_144
/** A line may begin in the segment before: reading starts so far ahead of each. */
const AHEAD_BYTES = 8192
const LINE_CHARS = 400

/** Looks for a text in what was printed, the newest line first, one segment after the other. */
export async function search(
  kept: Kept,
  ask: Pick<SearchAsk, 'source' | 'text' | 'limit'>,
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const parts = (await partsOf(kept, ask.source)) ?? []
  const wanted = { text: ask.text.toLowerCase(), limit: ask.limit, until: performance.now() + SEARCH_MS, signal }
  const matches: Match[] = []
  for (const index of [...parts.keys()].reverse()) {
    const found = await searchPart(parts, index, { ...wanted, limit: ask.limit - matches.length })
    matches.push(...(await dated(parts[index], found.lines)))
    if (!found.isComplete || matches.length >= ask.limit) return { matches, isComplete: found.isComplete && index === 0 }
  }
  return { matches, isComplete: true }
}

/** Newest first; at most `limit`. Lines that end in another segment are that one's. */
async function searchPart(
  parts: readonly Part[],
  index: number,
  wanted: Search,
): Promise<{ lines: Found[]; isComplete: boolean }> {
  const [before, part] = [parts[index - 1], parts[index]]
  if (!part) return { lines: [], isComplete: true }
  const isJoined = before?.end === part.start
  const start = isJoined ? Math.max(before.start, part.start - AHEAD_BYTES) : part.start
  const lines: Found[] = []
  let isWhole = true
  const reader = new PrintedLines(start, ({ start: seq, end, bytes }) => {
    if (end <= part.start || (isJoined && seq === start && start > before.start)) return
    if (bytes.byteLength < wanted.text.length) return
    const line = bytes.toString('utf8')
    if (!line.toLowerCase().includes(wanted.text)) return
    lines.push({ seq, line: around(line, wanted.text), end })
    if (lines.length <= wanted.limit) return
    lines.shift()
    isWhole = false
  })
  if (isJoined) await feed(reader, { part: before, from: start, wanted })
  const isRead = await feed(reader, { part, from: part.start, wanted })
  if (index === parts.length - 1) reader.end(part.end + 1)
  return { lines: lines.reverse(), isComplete: isRead && isWhole }
}

/** False when the time was up, or the searcher left, before the end. */
async function feed(reader: PrintedLines, span: { part: Part; from: number; wanted: Search }): Promise<boolean> {
  const { part, from, wanted } = span
  let at = from
  for await (const bytes of partBytes(part, { from, to: part.end, chunkBytes: CHUNK_BYTES })) {
    if (wanted.signal.aborted || performance.now() > wanted.until) return false
    reader.write(bytes, at)
    at += bytes.byteLength
  }
  return at === part.end
}

/** A line that is too long is shown around what was found. */
function around(line: string, text: string): string {
  if (line.length <= LINE_CHARS) return line
  const at = Math.max(0, line.toLowerCase().indexOf(text) - LINE_CHARS / 4)
  return line.slice(at, at + LINE_CHARS)
}

async function dated(part: Part | undefined, found: readonly Found[]): Promise<Match[]> {
  const times = part && found.length > 0 ? await timesOf(part) : []
  return found.map(({ seq, line, end }) => ({ seq, line, at: timeAt(times, end - 1) }))
}

/** When this byte was printed: the last entry at or before it. */
function timeAt(times: readonly RecordTime[], byte: number): Date | null {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle]?.byte ?? 0) <= byte) low = middle + 1
    else high = middle
  }
  const time = times[low - 1]
  return time ? new Date(time.at) : null
}
