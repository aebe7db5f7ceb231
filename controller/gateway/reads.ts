import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { WorkloadBackend } from '@/backends/backend'
import { AppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'
import type { Workload } from '@/domain/workloads'
import type { Clock } from '@/kit/clock'
import type { Log } from '@/kit/log'
import { READ_INFO_HEADER, type ReadAsk, type ReadInfo } from '@/protocol/read'
import { type Passage, redeemTicket } from '@/server/auth/tickets'
import type { Db } from '@/server/store/db'
import type { Access } from './access'
import { readDataRequest } from './data-request'
import type { OpenConnections } from './open-connections'
import { sendJson } from './pages'
import { type Asked, READ_PATHS } from './read-asks'
import type { Exchange } from './refusals'

type ReadsDeps = {
  db: Db
  clock: Clock
  log: Log
  backend: Pick<WorkloadBackend, 'read' | 'search' | 'notebooks'>
  access: Access
  open: OpenConnections
}
type Answering = { response: ServerResponse; workload: Workload; isFile: boolean; signal: AbortSignal }

const FIRST_BYTE_MS = 15_000
const ANSWER_HEADERS = {
  'content-type': 'application/octet-stream',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
}

/** What the data host answers beside its sockets: logs, records and searches, each for a ticket of its own purpose. */
export class Reads {
  readonly #deps: ReadsDeps

  constructor(deps: ReadsDeps) {
    this.#deps = deps
  }

  /** Answers one request; resolves when its answer is over. What is wrong with the question is told before its ticket is used. */
  async serve({ request, response }: Exchange, path: string): Promise<void> {
    const leaving = new AbortController()
    response.once('close', () => leaving.abort())
    try {
      const given = await readDataRequest(request)
      const asked = READ_PATHS[path]?.(given)
      if (!asked) throw new AppError('not_found', { what: 'path' })
      const passage = await this.#redeem(given.ticket, asked)
      const answering = { response, workload: passage.workload, isFile: given.isForm, signal: leaving.signal }
      await this.#watched(answering, passage, () => this.#answer(answering, asked))
    } catch (error) {
      this.#failed(response, error)
    }
  }

  #redeem(secret: string, { purpose }: Asked): Promise<Passage> {
    const { db, clock } = this.#deps
    return redeemTicket(db, { secret, purposes: [purpose], nonce: null, at: clock.now() })
  }

  /** Counted while it lasts, and cut within 2 s once its permission is gone. */
  async #watched({ response }: Answering, { ticket }: Passage, serve: () => Promise<void>): Promise<void> {
    const forget = this.#deps.open.add({
      userId: ticket.userId,
      tenantId: ticket.tenantId,
      isAllowed: async () => (await this.#deps.access.passage(ticket)) !== null,
      end: () => response.destroy(),
    })
    if (!forget) throw new AppError('over_limit', { limit: 'answers open at once', max: LIMITS.answersPerUser })
    await serve().finally(forget)
  }

  #answer(to: Answering, asked: Asked): Promise<void> {
    if (asked.kind === 'read') return this.#read(to, asked.ask)
    return asked.kind === 'search' ? this.#search(to, asked.ask) : this.#notebooks(to, asked.ask)
  }

  async #read(to: Answering, ask: Omit<ReadAsk, 'workloadId'>): Promise<void> {
    const { response, workload, signal } = to
    const whole = { ...ask, workloadId: workload.id }
    const { info, stream } = await inTime(signal, (within) => this.#deps.backend.read(machineOf(workload), whole, within))
    response.writeHead(200, headersOf(to, { ask: whole, info }))
    response.flushHeaders() // a log may be silent for long
    await carry(stream, to)
  }

  async #search({ response, workload, signal }: Answering, ask: Extract<Asked, { kind: 'search' }>['ask']): Promise<void> {
    const whole = { ...ask, workloadId: workload.id }
    sendJson(response, 200, await inTime(signal, (within) => this.#deps.backend.search(machineOf(workload), whole, within)))
  }

  /** Only of a notebook: who may watch a session is shown its terminal, and no file of it. */
  async #notebooks(to: Answering, ask: Extract<Asked, { kind: 'notebooks' }>['ask']): Promise<void> {
    const { response, workload, signal } = to
    if (workload.kind !== 'notebook') throw new AppError('not_found', { what: 'notebook' })
    const whole = { ...ask, workloadId: workload.id }
    const stream = await inTime(signal, (within) => this.#deps.backend.notebooks(machineOf(workload), whole, within))
    response.writeHead(200, ANSWER_HEADERS)
    await carry(stream, to)
  }

  #failed(response: ServerResponse, error: unknown): void {
    if (response.headersSent || response.destroyed) {
      response.destroy() // a cut answer never looks whole
      return
    }
    const told = error instanceof AppError ? error : new AppError('unavailable', { what: 'this' })
    if (told !== error) this.#deps.log.error('a read failed', { error })
    sendJson(response, told.status, { code: told.code, message: told.message })
  }
}

/** Where its bytes are: the machine that it runs on, or the one that holds its files. Errors: not_found. */
function machineOf(workload: Workload): string {
  const machineId = workload.placement?.machineId ?? workload.workspaceMachineId
  if (machineId === null) throw new AppError('not_found', { what: 'record' })
  return machineId
}

/** Waits for the beginning of an answer, not for its end. */
async function inTime<T>(signal: AbortSignal, ask: (within: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new AppError('unavailable', { what: 'the machine' })), FIRST_BYTE_MS)
  try {
    return await ask(AbortSignal.any([signal, late.signal]))
  } finally {
    clearTimeout(timer)
  }
}

function headersOf({ isFile, workload }: Answering, { ask, info }: { ask: ReadAsk; info: ReadInfo }): Record<string, string> {
  const end = ask.format === 'asciicast' ? 'cast' : 'log'
  const file = `attachment; filename="${workload.name.replace(/[^\w.-]/g, '_')}-${ask.source}.${end}"`
  const headers = { ...ANSWER_HEADERS, [READ_INFO_HEADER]: JSON.stringify(info) }
  return isFile ? { ...headers, 'content-disposition': file } : headers
}

/** Bytes as they come; a reader who leaves is no failure. */
async function carry(stream: Readable, { response, signal }: Answering): Promise<void> {
  try {
    await pipeline(stream, response)
  } catch (error) {
    if (!signal.aborted && !response.destroyed) throw error
  }
}
