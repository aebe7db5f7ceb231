import { z } from 'zod'

type ErrorRow<A extends z.ZodObject> = { status: number; args: A; text: (args: z.infer<A>) => string }
const error = <A extends z.ZodObject>(row: ErrorRow<A>) => row
const none = z.object({})
const what = z.object({ what: z.string() })

/** Every expected failure: HTTP status, typed arguments and the one sentence that a person reads. */
export const ERRORS = {
  unauthenticated: error({ status: 401, args: none, text: () => 'sign in first' }),
  bad_sign_in: error({ status: 401, args: none, text: () => 'e-mail or password is wrong' }),
  not_found: error({ status: 404, args: what, text: (a) => `no such ${a.what}` }),
  forbidden: error({ status: 403, args: z.object({ action: z.string() }), text: (a) => `you may not ${a.action}` }),
  conflict: error({ status: 409, args: z.object({ why: z.string() }), text: (a) => a.why }),
  invalid: error({
    status: 400,
    args: z.object({ field: z.string(), limit: z.string() }),
    text: (a) => `${a.field}: ${a.limit}`,
  }),
  name_taken: error({
    status: 409,
    args: z.object({ name: z.string() }),
    text: (a) => `name: you already have a workload called ${a.name}`,
  }),
  wrong_state: error({
    status: 409,
    args: z.object({ action: z.string(), state: z.string() }),
    text: (a) => `cannot ${a.action} a workload that is ${a.state}`,
  }),
  operation_in_flight: error({
    status: 409,
    args: z.object({ kind: z.string() }),
    text: (a) => `another operation is under way: ${a.kind}`,
  }),
  idempotency_mismatch: error({
    status: 409,
    args: none,
    text: () => 'idempotency key: already used for a different request',
  }),
  over_limit: error({
    status: 429,
    args: z.object({ limit: z.string(), max: z.number(), retrySeconds: z.number().optional() }),
    text: (a) => `${a.limit}: at most ${a.max}${a.retrySeconds === undefined ? '' : `; try again in ${a.retrySeconds} s`}`,
  }),
  over_quota: error({
    status: 429,
    args: z.object({
      whose: z.enum(['your', "the tenant's"]),
      limit: z.string(),
      asked: z.string(),
      used: z.string(),
      max: z.string(),
    }),
    text: (a) => `${a.whose} quota of ${a.limit}: ${a.asked} asked, ${a.used} of ${a.max} in use`,
  }),
  setup_closed: error({ status: 404, args: none, text: () => 'set-up is closed: an account exists already' }),
  setup_secret: error({
    status: 403,
    args: none,
    text: () => 'this set-up link is wrong, used or older than 15 minutes; `npm run berth -- setup-link` prints a new one',
  }),
  ticket: error({
    status: 403,
    args: none,
    text: () => 'this ticket is wrong, used or older than 30 seconds; open the workload again',
  }),
  bad_origin: error({ status: 403, args: none, text: () => 'this request does not come from the Berth dashboard' }),
  unreachable: error({ status: 503, args: z.object({ machine: z.string() }), text: (a) => `${a.machine} cannot be reached now` }),
  port_busy: error({
    status: 503,
    args: z.object({ address: z.string() }),
    text: (a) => `${a.address} is in use by another program; stop it, or choose another port with BERTH_PORT`,
  }),
  storage_full: error({
    status: 503,
    args: none,
    text: () =>
      "the disk of Berth's database is full; work can still be stopped and access revoked, everything else waits for room",
  }),
  unavailable: error({ status: 503, args: what, text: (a) => `${a.what} is not available now; try again` }),
} as const
export type ErrorCode = keyof typeof ERRORS
export type ErrorArgs<C extends ErrorCode> = z.infer<(typeof ERRORS)[C]['args']>

/** An expected failure. Its message is safe to show; `cause` goes to the log only. */
export class AppError<C extends ErrorCode = ErrorCode> extends Error {
  readonly code: C
  readonly args: ErrorArgs<C>
  readonly status: number
  constructor(code: C, args: ErrorArgs<C>, options?: { cause?: unknown }) {
    const row = ERRORS[code] as unknown as ErrorRow<z.ZodObject>
    super(row.text(args), options)
    this.name = 'AppError'
    this.code = code
    this.args = args
    this.status = row.status
  }
}

/** Is this an expected failure? Told by its shape: a bundler may load this module more than once in a process. */
export function isAppError(error: unknown): error is AppError {
  return error instanceof Error && error.name === 'AppError' && 'code' in error && Object.hasOwn(ERRORS, String(error.code))
}
