import { setTimeout as wait } from 'node:timers/promises'
import type { ReadSource } from '@/protocol/read'
import { isOver, type Kept } from './kept'
import { openPlain, type Part, partsOf } from './stored-bytes'

/** Bytes and the place of the first one. `missing`: nothing was kept from `seq` up to there. */
export type Printed = { seq: number; bytes: Buffer } | { seq: number; missing: number }

const CHUNK_BYTES = 65_536
const LOOK_MS = 100

export type Range = {
  kept: Kept
  source: ReadSource
  from: number
  /** Where to stop; null: at the end of the program, however long that takes. */
  to: number | null
  signal: AbortSignal
}

/** What was printed, in order and as it comes, one piece in memory at a time. */
export async function* printedBytes(range: Range): AsyncGenerator<Printed> {
  let at = range.from
  while (!range.signal.aborted && (range.to === null || at < range.to)) {
    // Asked before looking: what was printed until then is on disk when it says yes.
    const isLast = range.to !== null || (await isOver(range.kept, range.source))
    const before = at
    for (const part of (await partsOf(range.kept, range.source)) ?? []) {
      const to = Math.min(part.end, range.to ?? part.end)
      if (to <= at) continue
      if (part.start > at) yield { seq: at, missing: part.start }
      at = Math.max(at, part.start)
      for await (const bytes of partBytes(part, { from: at, to })) {
        yield { seq: at, bytes }
        at += bytes.byteLength
        if (range.signal.aborted) return
      }
    }
    if (at !== before) continue
    if (isLast) return
    await wait(LOOK_MS, undefined, { signal: range.signal }).catch(() => undefined) // the reader left: the loop ends
  }
}

/** The bytes of one file; fewer when it was dropped meanwhile, which the next look finds out. */
export async function* partBytes(part: Part, span: { from: number; to: number; chunkBytes?: number }): AsyncGenerator<Buffer> {
  const file = await openPlain(part.path)
  if (!file) return
  try {
    for (let at = span.from; at < span.to; ) {
      const bytes = Buffer.allocUnsafe(Math.min(span.chunkBytes ?? CHUNK_BYTES, span.to - at))
      const { bytesRead } = await file.read(bytes, 0, bytes.byteLength, at - part.start)
      if (bytesRead === 0) return
      yield bytes.subarray(0, bytesRead)
      at += bytesRead
    }
  } finally {
    await file.close()
  }
}
