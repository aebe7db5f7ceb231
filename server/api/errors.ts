import { TRPCError } from '@trpc/server'
import superjson from 'superjson'
import { z } from 'zod'
import { AppError, type ErrorCode, isAppError } from '@/domain/errors'
import { wrongInput } from '@/domain/issue-words'

type TrpcCode = TRPCError['code']
/** What a client reads of a failure: a code of the table with its arguments, or `internal` with nothing but the request's id. */
export type BerthError = { code: ErrorCode | 'internal'; args: Record<string, unknown>; requestId: string }

const CODE_OF_STATUS: Record<number, TrpcCode> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
}
/** tRPC's own refusals, in our words; its texts are not shown. */
const OWN_WORDS: Partial<Record<TrpcCode, () => AppError>> = {
  BAD_REQUEST: () => new AppError('invalid', { field: 'request', limit: 'not understood' }),
  PARSE_ERROR: () => new AppError('invalid', { field: 'request', limit: 'not JSON' }),
  UNSUPPORTED_MEDIA_TYPE: () => new AppError('invalid', { field: 'content-type', limit: 'application/json' }),
  METHOD_NOT_SUPPORTED: () => new AppError('invalid', { field: 'method', limit: 'GET for queries, POST for mutations' }),
  NOT_FOUND: () => new AppError('not_found', { what: 'procedure' }),
  SERVICE_UNAVAILABLE: () => new AppError('unavailable', { what: 'Berth' }),
}

/** The expected failure behind an error, or null when it is a fault of ours. */
export function expectedFailure(error: TRPCError): AppError | null {
  if (isAppError(error.cause)) return error.cause
  if (error.cause instanceof z.ZodError) return new AppError('invalid', wrongInput(error.cause))
  return OWN_WORDS[error.code]?.() ?? null
}

/** An expected failure with the status that belongs to it. Everything else passes as it is. */
export function toTrpcError(error: unknown): TRPCError {
  const inner = error instanceof TRPCError ? error.cause : error
  if (isAppError(inner)) {
    return new TRPCError({ code: CODE_OF_STATUS[inner.status] ?? 'BAD_REQUEST', message: inner.message, cause: inner })
  }
  if (error instanceof TRPCError) return error
  return new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: error })
}

/** Code, arguments and text of an error, safe to send. */
export function describeError(error: TRPCError, requestId: string): { message: string; berth: BerthError } {
  const failure = expectedFailure(error)
  if (failure) return { message: failure.message, berth: { code: failure.code, args: { ...failure.args }, requestId } }
  return { message: 'something went wrong in Berth; its log has more', berth: { code: 'internal', args: {}, requestId } }
}

/** An answer for a request that never reached a procedure, in the shape that tRPC's clients read. */
export function refusal(error: TRPCError, requestId: string): Response {
  const { message, berth } = describeError(error, requestId)
  const failure = expectedFailure(error)
  const status = failure?.status ?? 500
  const data = { code: error.code, httpStatus: status, berth }
  return new Response(JSON.stringify({ error: superjson.serialize({ message, code: -32600, data }) }), {
    status,
    headers: { 'content-type': 'application/json', ...retryAfter(failure) },
  })
}

/** When to come back, for those who were told to wait. */
export function retryAfter(failure: AppError | null): Record<string, string> {
  const args: Record<string, unknown> = { ...failure?.args }
  return typeof args.retrySeconds === 'number' ? { 'retry-after': String(Math.ceil(args.retrySeconds)) } : {}
}
