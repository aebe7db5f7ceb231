import { StringDecoder } from 'node:string_decoder'
import type { RecordTime } from '../host/record-times'
import type { Kept } from './kept'
import { partBytes } from './printed-bytes'
import { type Part, partsOf, stoppedAt, timesOf } from './stored-bytes'

/** Of a record that has no times: what a terminal is by default. */
const UNKNOWN: RecordTime = { byte: 0, at: 0, cols: 80, rows: 24 }

/** A stretch of bytes that was printed at one time. */
type Stretch = { part: Part; from: number; to: number; time: RecordTime }

/**
 * A terminal's record as asciicast v2, from one byte up to another: a header, then one line per frame. Bytes that were
 * not kept are told by a marker. Made while it is read; nothing but the times of one segment is held in memory.
 */
export async function* asciicast(kept: Kept, span: { from: number; to: number }): AsyncGenerator<Buffer> {
  const decoder = new StringDecoder('utf8')
  let first: RecordTime | null = null
  let size = ''
  let at = span.from
  let lastSeconds = 0
  for await (const stretch of stretches(kept, span)) {
    const { time } = stretch
    if (!first) yield line(headerOf(time))
    first ??= time
    const seconds = first.at === 0 ? 0 : Math.max(0, time.at - first.at) / 1000
    if (stretch.from > at) yield line([seconds, 'm', missingText(at, stretch.from)])
    const now = `${time.cols}x${time.rows}`
    if (size !== '' && now !== size) yield line([seconds, 'r', now])
    size = now
    lastSeconds = seconds
    for await (const bytes of partBytes(stretch.part, stretch)) {
      const text = decoder.write(bytes)
      if (text !== '') yield line([seconds, 'o', text])
    }
    at = stretch.to
  }
  if (!first) yield line(headerOf(UNKNOWN))
  if ((await stoppedAt(kept, 'terminal')) === at) yield line([lastSeconds, 'm', stoppedText(at)])
}

/** The last line of a record that ended before its program did. */
export function stoppedText(at: number): string {
  return `nothing after byte ${at} was kept: the disk was full`
}

/** What a reader is told in the place of bytes that are not there. */
export function missingText(from: number, to: number): string {
  return `bytes ${from} to ${to} were not kept: the disk was full, or older output was dropped`
}

async function* stretches(kept: Kept, span: { from: number; to: number }): AsyncGenerator<Stretch> {
  let last = UNKNOWN
  for (const part of (await partsOf(kept, 'terminal')) ?? []) {
    if (part.end <= span.from || part.start >= span.to) continue
    const times = await timesOf(part)
    for (const [index, time] of [last, ...times].entries()) {
      const from = Math.max(index === 0 ? part.start : time.byte, span.from)
      const to = Math.min(times[index]?.byte ?? part.end, span.to)
      last = time
      if (from < to) yield { part, from, to, time }
    }
  }
}

function headerOf(time: RecordTime): object {
  return { version: 2, width: time.cols, height: time.rows, timestamp: Math.floor(time.at / 1000) }
}

function line(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}
