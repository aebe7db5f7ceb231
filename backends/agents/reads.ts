import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { AppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'
import type { NotebooksAsk } from '@/protocol/notebooks'
import {
  READ_INFO_HEADER,
  type ReadAsk,
  type ReadInfo,
  readInfo,
  type SearchAnswer,
  type SearchAsk,
  searchAnswer,
} from '@/protocol/read'
import type { MachineAnswer, MachineLink } from './machine-link'

/** An escaped byte of a record in asciicast takes six. */
const READ_BYTES_MAX = 8 * LIMITS.recordBytesMax
const QUIET_MS = 30_000

/** Bytes that a machine keeps of a workload. Errors: `unreachable`, `not_found`, `unavailable` (an answer that is none). */
export async function readFrom(
  link: MachineLink,
  from: { machineId: string; ask: ReadAsk },
  signal: AbortSignal,
): Promise<{ info: ReadInfo; stream: Readable }> {
  const { machineId, ask } = from
  // What is followed is quiet for as long as its program is, and as long as it likes.
  const bounds = ask.isFollowed
    ? { bytesMax: Number.POSITIVE_INFINITY, quietMs: null }
    : { bytesMax: READ_BYTES_MAX, quietMs: QUIET_MS }
  const answer = await link.call(machineId, { path: '/v1/read', body: ask, ...bounds }, signal)
  const info = answer.status === 200 ? infoOf(answer) : null
  if (info) return { info, stream: answer.body }
  throw refusalOf(answer)
}

/** Lines that match in what a machine keeps. Errors: as readFrom. */
export async function searchIn(
  link: MachineLink,
  from: { machineId: string; ask: SearchAsk },
  signal: AbortSignal,
): Promise<SearchAnswer> {
  const call = { path: '/v1/search' as const, body: from.ask, bytesMax: LIMITS.jsonBytes, quietMs: QUIET_MS }
  const answer = await link.call(from.machineId, call, signal)
  if (answer.status !== 200) throw refusalOf(answer)
  try {
    return searchAnswer.parse(JSON.parse(await text(answer.body)))
  } catch (cause) {
    signal.throwIfAborted()
    throw new AppError('unavailable', WHAT, { cause })
  }
}

/** A workspace's saved notebooks: the list, or the bytes of one. Errors: as readFrom, and `over_limit`. */
export async function notebooksIn(
  link: MachineLink,
  from: { machineId: string; ask: NotebooksAsk },
  signal: AbortSignal,
): Promise<Readable> {
  const call = { path: '/v1/notebooks' as const, body: from.ask, bytesMax: LIMITS.notebookBytesMax, quietMs: QUIET_MS }
  const answer = await link.call(from.machineId, call, signal)
  if (answer.status === 200) return answer.body
  throw refusalOf(answer)
}

const WHAT = { what: 'what the machine keeps' }

function infoOf({ headers }: MachineAnswer): ReadInfo | null {
  try {
    return readInfo.parse(JSON.parse(String(headers[READ_INFO_HEADER])))
  } catch {
    return null // refused as an answer that is none
  }
}

function refusalOf({ status, body }: MachineAnswer): AppError {
  body.on('error', () => undefined) // nobody reads it
  body.destroy()
  if (status === 413) return new AppError('over_limit', { limit: 'bytes of a notebook', max: LIMITS.notebookBytesMax })
  if (status === 404) return new AppError('not_found', { what: 'record' })
  return new AppError('unavailable', WHAT, { cause: new Error(`the agent answered with ${status}`) })
}
