import type { ErrorCode } from '@/domain/errors'

/** What a page may say about a failed call. `code` is null when Berth did not answer at all. */
export type Failure = {
  code: ErrorCode | 'internal' | null
  args: Record<string, unknown>
  text: string
  requestId: string | null
}

const UNANSWERED = 'Berth did not answer. It may be restarting; what runs on your machines goes on.'

/** Reads the error of a call. Anything that is not one of Berth's own errors counts as "did not answer". */
export function failureOf(error: unknown): Failure {
  const berth = berthOf(error)
  if (!berth) return { code: null, args: {}, text: UNANSWERED, requestId: null }
  const text = error instanceof Error ? sentence(error.message) : UNANSWERED
  return { ...berth, text }
}

/** The field that an error names and its limit, for forms; null when it is about something else. */
export function fieldOf(failure: Failure): { field: string; limit: string } | null {
  if (failure.code === 'name_taken') return { field: 'name', limit: failure.text.replace(/^Name: /, '') }
  const { field, limit } = failure.args
  return failure.code === 'invalid' && typeof field === 'string' && typeof limit === 'string' ? { field, limit } : null
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function berthOf(error: unknown): Omit<Failure, 'text'> | null {
  const berth = member(member(error, 'data'), 'berth')
  const code = member(berth, 'code')
  if (typeof code !== 'string') return null
  const requestId = member(berth, 'requestId')
  return {
    code: code as ErrorCode | 'internal',
    args: Object(member(berth, 'args') ?? {}),
    requestId: typeof requestId === 'string' ? requestId : null,
  }
}

function member(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  return (value as Record<string, unknown>)[key]
}
