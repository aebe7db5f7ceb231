import { PrismaClientKnownRequestError } from '@prisma/client/runtime/client'

/** Did a write break a unique index? `column` narrows it to the index that holds this database column. */
export function isUniqueViolation(error: unknown, column?: string): boolean {
  if (!(error instanceof PrismaClientKnownRequestError) || error.code !== 'P2002') return false
  return column === undefined || JSON.stringify(error.meta ?? {}).includes(column)
}
