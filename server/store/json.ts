import { DbNull } from '@prisma/client/runtime/client'
import type { Prisma } from './generated/sqlite/client'

/** A value for a JSON column. What goes in was parsed before; `undefined` members are left out. */
export function json(value: object): Prisma.InputJsonValue {
  return JSON.parse(JSON.stringify(value)) as Prisma.InputJsonValue
}

/** A value for a nullable JSON column: null is the database's NULL, not JSON's. */
export function jsonOrNull(value: object | null): Prisma.InputJsonValue | typeof DbNull {
  return value === null ? DbNull : json(value)
}
