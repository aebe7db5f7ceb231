import pino from 'pino'

type LogFields = Record<string, unknown>
/** Constant message first, data in fields. Field names that look like secrets are censored; each text is cut at 256 characters. */
export type Log = {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  child(fields: LogFields): Log
}

const SECRET = /secret|password|token|ticket|cookie|authorization|csr|key$|Hash$/i
const FIELD_CHARS_MAX = 256
const CAUSE_CHARS_MAX = 2000
const WAITING_CHARS_MAX = 65_536

/** A logger that writes JSON lines to stderr (or `destination`). Secrets are redacted before they reach pino. */
export function createLog(process: string, options: { level?: string; destination?: pino.DestinationStream } = {}): Log {
  const base = pino(
    { level: options.level ?? 'info', base: { process }, timestamp: pino.stdTimeFunctions.isoTime },
    options.destination ?? standardError(),
  )
  return wrap(base)
}

/** A full disk ends no process: what it has no room for goes with a later line, as far as that much may wait. */
function standardError(): pino.DestinationStream {
  const destination = pino.destination({ fd: 2, sync: true, maxLength: WAITING_CHARS_MAX })
  destination.on('error', () => undefined)
  return destination
}

function wrap(base: pino.Logger): Log {
  return {
    debug: (message, fields) => base.debug(redact(fields), message),
    info: (message, fields) => base.info(redact(fields), message),
    warn: (message, fields) => base.warn(redact(fields), message),
    error: (message, fields) => base.error(redact(fields), message),
    child: (fields) => wrap(base.child(redact(fields) as pino.Bindings)),
  }
}

/** Bounds and censors fields; errors become their message and stack. */
function redact(fields: LogFields = {}): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, SECRET.test(name) ? '[redacted]' : bounded(value)]),
  )
}

const SECRET_TEXT = /berth_(pat|svc|key|join|setup)_[A-Za-z0-9.]+|(Ticket|Bearer)\s+[\w.-]+/g

function bounded(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cut(value, FIELD_CHARS_MAX)
  if (value instanceof Error)
    return { message: cut(value.message, FIELD_CHARS_MAX), stack: cut(value.stack ?? '', CAUSE_CHARS_MAX), ...cause(value) }
  if (typeof value === 'bigint') return value.toString()
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  if (depth === 3) return '[deep]'
  if (Array.isArray(value)) return value.slice(0, 20).map((v) => bounded(v, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, 40)
      .map(([name, v]) => [cut(name, FIELD_CHARS_MAX), SECRET.test(name) ? '[redacted]' : bounded(v, depth + 1)]),
  )
}

function cause(error: Error): { cause?: unknown } {
  return error.cause === undefined ? {} : { cause: bounded(error.cause, 1) }
}

/** What JSON leaves as it is, and a terminal or a reader of lines does not: controls above ASCII, line ends, marks of direction. */
const UNSEEN = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

function escaped(mark: string): string {
  return `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function cut(text: string, max: number): string {
  const safe = text
    .slice(0, 2 * max)
    .replace(SECRET_TEXT, '[redacted]')
    .replace(UNSEEN, escaped)
  return safe.length > max ? `${safe.slice(0, max)}…` : safe
}
