import { AppError } from '@/domain/errors'
import * as store from '@/server/store/system/sign-ins'
import type { Ctx } from './ctx'

export type SignInView = store.SignIn & { isCurrent: boolean }

/** The person's own living sign-ins; nobody sees another one's. */
export async function listSignIns(ctx: Ctx): Promise<SignInView[]> {
  const rows = await store.listSignIns(ctx.db, ctx.person.id, ctx.now())
  return rows.map((row) => ({ ...row, isCurrent: row.id === ctx.signInId }))
}

/** Ends one of the person's own sign-ins. Errors: not_found. */
export async function revokeSignIn(ctx: Ctx, id: string): Promise<void> {
  const isRevoked = await store.revokeSignIn(ctx.db, { userId: ctx.person.id, id, at: ctx.now() })
  if (!isRevoked) throw new AppError('not_found', { what: 'sign-in' })
}

/** Ends all of the person's sign-ins but this one; returns how many. */
export async function revokeOtherSignIns(ctx: Ctx): Promise<{ revoked: number }> {
  const kept = { userId: ctx.person.id, keepId: ctx.signInId, at: ctx.now() }
  return { revoked: await store.revokeOtherSignIns(ctx.db, kept) }
}
