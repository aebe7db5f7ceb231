import { PrismaClientKnownRequestError } from '@prisma/client/runtime/client'
import { AppError } from '@/domain/errors'

/** Did a write break a unique index? `column` narrows it to the index that holds this database column. */
export function isUniqueViolation(error: unknown, column?: string): boolean {
  if (!(error instanceof PrismaClientKnownRequestError) || error.code !== 'P2002') return false
  return column === undefined || JSON.stringify(error.meta ?? {}).includes(column)
}

const FULL = 'the database (its disk is full)'
const GONE = 'the database'
/** SQLite's own names, and PostgreSQL's classes of "insufficient resources", "operator intervention" and lost connections. */
const CAUSES: readonly [RegExp, string][] = [
  [/"originalCode":"(SQLITE_FULL|53100)"/, FULL],
  [/"originalCode":"(SQLITE_(BUSY|IOERR|CANTOPEN|READONLY)\w*|53\w{3}|57P\w{2}|08\w{3})"/, GONE],
]
/** Not reachable, timed out, closed, no connection of the pool in time. */
const UNREACHABLE = ['P1001', 'P1002', 'P1008', 'P1017', 'P2024']

/** A database that is full, locked for long or gone is an expected failure; everything else stays what it is. Nothing of the statement was kept. */
export function expected(error: unknown): unknown {
  if (!(error instanceof PrismaClientKnownRequestError)) return error
  const meta = JSON.stringify(error.meta ?? {})
  const isLateStart = error.code === 'P2028' && /start a transaction/i.test(error.message)
  const what =
    CAUSES.find(([pattern]) => pattern.test(meta))?.[1] ?? (UNREACHABLE.includes(error.code) || isLateStart ? GONE : null)
  return what === null ? error : new AppError('unavailable', { what }, { cause: error })
}
