import { AppError } from '@/domain/errors'
import * as store from '@/server/store/system/setup'
import type { Ctx } from './ctx'

/** Is nothing of a machine started or ended now, because the database was restored? */
export async function isQuarantined(ctx: Ctx): Promise<boolean> {
  return store.isQuarantined(ctx.db)
}

/** Ends quarantine mode: from now on the controller acts on what the machines say. Twice is once. Errors: forbidden. */
export async function leaveQuarantine(ctx: Ctx): Promise<void> {
  if (!ctx.person.isOperator) throw new AppError('forbidden', { action: 'end quarantine mode' })
  await store.setQuarantine(ctx.db, false)
}
