import type { Http2ServerResponse } from 'node:http2'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { LIMITS } from '@/domain/limits'
import type { Log } from '@/kit/log'
import { notebooksAsk } from '@/protocol/notebooks'
import { READ_INFO_HEADER, type ReadAsk, type ReadInfo, readAsk, searchAsk } from '@/protocol/read'
import { asciicast, missingText, stoppedText } from './asciicast'
import { type Kept, keptOf } from './kept'
import { listNotebooks, openNotebook } from './notebooks'
import { printedBytes, type Range } from './printed-bytes'
import { search } from './search'
import { partsOf, stoppedAt } from './stored-bytes'

type ReadDeps = { dataDir: string; log: Log }
type ReadRequest = { path: string; body: unknown }

const BUSY_MAX = 128
let busy = 0

/**
 * Answers `/v1/read`, `/v1/search` and `/v1/notebooks`: what this machine keeps of a workload, also of one that is parked. 400:
 * not a question. 404: nothing of it is kept here. 413: a notebook too large. Resolves when the answer ended or its reader left.
 */
export async function serveRead(deps: ReadDeps, request: ReadRequest, response: Http2ServerResponse): Promise<void> {
  const serve = SERVED[request.path]
  if (!serve) return answer(response, 404, { code: 'not_found' })
  if (busy >= BUSY_MAX) return answer(response, 429, { code: 'over_limit' })
  const leaving = new AbortController()
  response.once('close', () => leaving.abort())
  busy += 1
  try {
    await serve({ ...deps, signal: leaving.signal }, request.body, response)
  } finally {
    busy -= 1
  }
}

type Serving = ReadDeps & { signal: AbortSignal }

const SERVED: Readonly<Record<string, (deps: Serving, body: unknown, response: Http2ServerResponse) => Promise<void>>> = {
  '/v1/read': read,
  '/v1/search': find,
  '/v1/notebooks': notebooks,
}

async function read(deps: Serving, body: unknown, response: Http2ServerResponse): Promise<void> {
  const ask = readAsk.safeParse(body)
  if (!ask.success) return answer(response, 400, { code: 'invalid' })
  const found = await locate(deps.dataDir, ask.data)
  if (!found) return answer(response, 404, { code: 'not_found' })
  const { kept, info } = found
  response.writeHead(200, { 'content-type': 'application/octet-stream', [READ_INFO_HEADER]: JSON.stringify(info) })
  const bytes = bytesOf(ask.data, { kept, info, signal: deps.signal })
  await send(deps, Readable.from(bytes, { objectMode: false, highWaterMark: 65_536 }), response)
}

async function notebooks(deps: Serving, body: unknown, response: Http2ServerResponse): Promise<void> {
  const ask = notebooksAsk.safeParse(body)
  if (!ask.success) return answer(response, 400, { code: 'invalid' })
  const of = { dataDir: deps.dataDir, workloadId: ask.data.workloadId }
  if (ask.data.path === null) {
    const list = await listNotebooks(of, deps.signal)
    return list ? answer(response, 200, list) : answer(response, 404, { code: 'not_found' })
  }
  const file = await openNotebook(of, ask.data.path)
  if (!file) return answer(response, 404, { code: 'not_found' })
  try {
    const { size } = await file.stat()
    if (size > LIMITS.notebookBytesMax) return answer(response, 413, { code: 'over_limit' })
    response.writeHead(200, { 'content-type': 'application/octet-stream' })
    // What is written to it meanwhile is not of this answer.
    const bytes = size === 0 ? Readable.from([]) : file.createReadStream({ end: size - 1, autoClose: false })
    await send(deps, bytes, response)
  } finally {
    await file.close()
  }
}

/** A reader who leaves is no failure. */
async function send(deps: Serving, bytes: Readable, response: Http2ServerResponse): Promise<void> {
  try {
    await pipeline(bytes, response.stream)
  } catch (error) {
    if (!deps.signal.aborted && !isLeft(error)) throw error
  }
}

async function find(deps: Serving, body: unknown, response: Http2ServerResponse): Promise<void> {
  const ask = searchAsk.safeParse(body)
  if (!ask.success) return answer(response, 400, { code: 'invalid' })
  const kept = await choose(deps.dataDir, ask.data)
  if (!kept || !(await partsOf(kept, ask.data.source))) return answer(response, 404, { code: 'not_found' })
  answer(response, 200, await search(kept, ask.data, deps.signal))
}

/** A reader who left is no failure. */
function isLeft(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}

/** The newest start of which this source is kept, or the one that was asked for. */
async function choose(dataDir: string, ask: Pick<ReadAsk, 'workloadId' | 'placementId' | 'source'>): Promise<Kept | null> {
  for (const kept of await keptOf(dataDir, ask.workloadId)) {
    if (ask.placementId !== null && kept.placementId !== ask.placementId) continue
    if (await partsOf(kept, ask.source)) return kept
  }
  return null
}

async function locate(dataDir: string, ask: ReadAsk): Promise<{ kept: Kept; info: ReadInfo } | null> {
  const kept = await choose(dataDir, ask)
  const parts = kept && (await partsOf(kept, ask.source))
  if (!kept || !parts) return null
  const endByte = parts.at(-1)?.end ?? 0
  const oldest = parts[0]?.start ?? 0
  const fromByte = Math.max(oldest, ask.tailBytes === null ? 0 : endByte - ask.tailBytes)
  return { kept, info: { placementId: kept.placementId, workloadGen: kept.workloadGen, fromByte, endByte } }
}

function bytesOf(ask: ReadAsk, from: { kept: Kept; info: ReadInfo; signal: AbortSignal }): AsyncGenerator<Buffer> {
  const { kept, info, signal } = from
  if (ask.format === 'asciicast' && ask.source === 'terminal') return asciicast(kept, { from: info.fromByte, to: info.endByte })
  return raw({ kept, source: ask.source, from: info.fromByte, to: ask.isFollowed ? null : info.endByte, signal })
}

/** Bytes as they were printed; a line of ours stands where some were not kept. */
async function* raw(range: Range): AsyncGenerator<Buffer> {
  let at = range.from
  for await (const piece of printedBytes(range)) {
    if ('bytes' in piece) yield piece.bytes
    else yield note(missingText(piece.seq, piece.missing))
    at = 'bytes' in piece ? piece.seq + piece.bytes.byteLength : piece.missing
  }
  if ((await stoppedAt(range.kept, range.source)) === at) yield note(stoppedText(at))
}

function note(text: string): Buffer {
  return Buffer.from(`\r\n[${text}]\r\n`)
}

function answer(response: Http2ServerResponse, status: number, body: object): void {
  if (response.headersSent || response.stream.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}
