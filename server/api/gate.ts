import { AppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'
import { isDeeperThan, readBounded } from '@/server/web/bounded-body'
import { isJson, isProgram, isSameOriginRead, isSameOriginWrite } from '@/server/web/cross-site'

const DEPTH_MAX = 20

/**
 * What every request of the API passes before a procedure is looked at: its method, where it comes from, its size. Returns
 * the request with its body read. Errors: bad_origin, invalid.
 */
export async function admit(request: Request, origin: string): Promise<Request> {
  if (request.method !== 'GET' && request.method !== 'POST')
    throw new AppError('invalid', { field: 'method', limit: 'GET or POST' })
  checkOrigin(request, origin)
  const url = new URL(request.url)
  checkBatch(url)
  checkDepth(url.searchParams.get('input') ?? '')
  return request.method === 'POST' ? withBody(request) : request
}

/** A token is not ambient: whoever sends one has it. A program without one signs in. Everything else must come from our own pages. */
function checkOrigin({ method, headers }: Request, origin: string): void {
  const isAmbient = !headers.has('authorization') && !isProgram(headers)
  if (method === 'GET' && isAmbient && !isSameOriginRead(headers)) throw new AppError('bad_origin', {})
  if (method === 'POST' && isAmbient && !isSameOriginWrite(headers, origin)) throw new AppError('bad_origin', {})
  if (method === 'POST' && !isJson(headers)) throw new AppError('invalid', { field: 'content-type', limit: 'application/json' })
}

/** Procedures in one request are separated by commas, whether or not it says that it is a batch. */
function checkBatch(url: URL): void {
  const names = url.pathname.split(/,|%2c/i)
  if (names.length > LIMITS.batchMax) throw new AppError('invalid', { field: 'batch', limit: `at most ${LIMITS.batchMax}` })
}

function checkDepth(json: string): void {
  if (isDeeperThan(json, DEPTH_MAX)) throw new AppError('invalid', { field: 'body', limit: `at most ${DEPTH_MAX} levels` })
}

async function withBody(request: Request): Promise<Request> {
  const body = await readBounded(request, LIMITS.jsonBytes)
  if (body === null) throw new AppError('invalid', { field: 'body', limit: `at most ${LIMITS.jsonBytes} bytes` })
  checkDepth(body)
  const { method, headers, signal } = request
  return new Request(request.url, { method, headers, body, signal })
}
