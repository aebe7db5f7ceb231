import { AppError } from '@/domain/errors'
import type { Trust } from '@/domain/kinds'
import { inTx } from '@/server/store/db'
import { replacePassword } from '@/server/store/system/accounts'
import { revokeOtherSignIns } from '@/server/store/system/sign-ins'
import { findTenant, findTheme, saveTheme } from '@/server/store/users'
import type { Ctx, Person } from './ctx'

/** How a person wants the dashboard to look. */
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export type Me = Person & { theme: Theme; tenant: { id: string; name: string; trust: Trust } }

/** Who is signed in, and where. Errors: not_found (the tenant is gone). */
export async function getMe(ctx: Ctx): Promise<Me> {
  const tenant = await findTenant(ctx.db, ctx.tenantId)
  if (!tenant) throw new AppError('not_found', { what: 'tenant' })
  const chosen = await findTheme(ctx.db, ctx.tenantId, ctx.person.id)
  return { ...ctx.person, tenant, theme: THEMES.find((theme) => theme === chosen) ?? 'system' }
}

/** Keeps the theme for every browser of this person. */
export async function setTheme(ctx: Ctx, theme: Theme): Promise<{ theme: Theme }> {
  await saveTheme(ctx.db, ctx.tenantId, { userId: ctx.person.id, theme })
  return { theme }
}

/**
 * Puts a new password in the place of the one that was just checked, and ends every other sign-in in the same transaction.
 * Both are hashes. Errors: conflict (it was changed meanwhile).
 */
export async function changePasswordHash(
  ctx: Ctx,
  change: { identityId: string; before: string; passwordHash: string },
): Promise<{ revoked: number }> {
  return inTx(ctx.db, async (tx) => {
    if (!(await replacePassword(tx, change))) throw new AppError('conflict', { why: 'your password was changed meanwhile' })
    return { revoked: await revokeOtherSignIns(tx, { userId: ctx.person.id, keepId: ctx.signInId, at: ctx.now() }) }
  })
}
