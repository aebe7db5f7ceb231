import { PrismaClientKnownRequestError } from '@prisma/client/runtime/client'
import { z } from 'zod'
import { AppError } from '@/domain/errors'

/** Did a write break a unique index? `column` narrows it to the index that holds this database column. */
export function isUniqueViolation(error: unknown, column?: string): boolean {
  if (!(error instanceof PrismaClientKnownRequestError) || error.code !== 'P2002') return false
  return column === undefined || JSON.stringify(error.meta ?? {}).includes(column)
}

/** SQLite’s own names (the second: no room for its index of the log), and PostgreSQL's classes of "insufficient resources", "operator intervention" and lost connections. */
const FULL = /"originalCode":"(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|53100)"/
const GONE = /"originalCode":"(SQLITE_(BUSY|IOERR|CANTOPEN|READONLY)\w*|53\w{3}|57P\w{2}|08\w{3})"/
/** Not reachable, timed out, closed, no connection of the pool in time. */
const UNREACHABLE = ['P1001', 'P1002', 'P1008', 'P1017', 'P2024']

/** A database that is full, locked for long or gone is an expected failure; everything else stays what it is. Nothing of the statement was kept. */
export function expected(error: unknown): unknown {
  const said = whatDriverSaid(error)
  if (said === null) return error
  if (FULL.test(said)) return new AppError('storage_full', {}, { cause: error })
  return GONE.test(said) || isUnreachable(error) ? new AppError('unavailable', { what: 'the database' }, { cause: error }) : error
}

/** A commit, and what begins a transaction, come past Prisma: as its adapter's error, or as the driver's own. */
function whatDriverSaid(error: unknown): string | null {
  if (error instanceof PrismaClientKnownRequestError) return JSON.stringify(error.meta ?? {})
  const { code, cause } = z.object({ code: z.string().optional(), cause: driverCause }).catch({}).parse(error)
  const own = cause?.originalCode ?? code
  return own === undefined ? null : JSON.stringify({ originalCode: own })
}
const driverCause = z.object({ originalCode: z.string().optional() }).optional().catch(undefined)

function isUnreachable(error: unknown): boolean {
  if (!(error instanceof PrismaClientKnownRequestError)) return false
  return UNREACHABLE.includes(error.code) || (error.code === 'P2028' && /start a transaction/i.test(error.message))
}
