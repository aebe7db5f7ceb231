import { fullSentence } from '@/components/ui/sentence'
import type { ErrorCode } from '@/domain/errors'

/** What a page may say about a failed call. `code` is null when Berth did not answer at all. */
export type Failure = {
  code: ErrorCode | 'internal' | null
  args: Record<string, unknown>
  text: string
  requestId: string | null
}

const UNANSWERED: Failure = {
  code: null,
  args: {},
  text: 'Berth did not answer. It may be restarting; what runs on your machines goes on.',
  requestId: null,
}

/** Reads the error of a call. Anything that is not one of Berth's own errors counts as "did not answer". */
export function failureOf(error: unknown): Failure {
  const berth = member(member(error, 'data'), 'berth')
  const code = member(berth, 'code')
  const message = member(error, 'message')
  if (typeof code !== 'string' || typeof message !== 'string') return UNANSWERED
  const requestId = member(berth, 'requestId')
  return {
    code: code as ErrorCode | 'internal',
    args: Object(member(berth, 'args') ?? {}),
    text: fullSentence(message),
    requestId: typeof requestId === 'string' ? requestId : null,
  }
}

/** The field that an error names and its limit, for forms; null when it is about something else. */
export function fieldOf(failure: Failure): { field: string; limit: string } | null {
  const { field, limit } = failure.args
  if (failure.code === 'name_taken') return { field: 'name', limit: failure.text.replace(/^name: |\.$/gi, '') }
  return failure.code === 'invalid' && typeof field === 'string' && typeof limit === 'string' ? { field, limit } : null
}

/** One member of something that came from outside; undefined when there is none. */
export function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
