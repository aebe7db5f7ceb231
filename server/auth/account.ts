import { v7 } from 'uuid'
import { z } from 'zod'
import { AppError, isAppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'
import { apiTokenName, email, password } from '@/domain/names'
import { SCOPES } from '@/domain/tokens'
import { between } from '@/domain/whole-number'
import { createApiToken } from '@/server/service/api-tokens'
import type { Ctx } from '@/server/service/ctx'
import { changePasswordHash } from '@/server/service/me'
import { firstTenant, type LocalIdentity, localIdentity, replacePassword } from '@/server/store/system/accounts'
import { revokeOtherSignIns } from '@/server/store/system/sign-ins'
import { hashPassword } from './passwords'
import type { Runtime } from './runtime'
import { HERE, provePassword } from './sign-in'

const anyPassword = z.string().max(LIMITS.passwordCharsMax, `at most ${LIMITS.passwordCharsMax} characters`)

/** What a person asks of a new API token. */
const tokenInput = z.strictObject({
  name: apiTokenName,
  scopes: z.array(z.enum(SCOPES)).min(1, 'at least one of read, write, admin').max(SCOPES.length),
  days: between(1, LIMITS.apiTokenDaysMax, 'day').default(LIMITS.apiTokenDays),
})

/** The same at a browser that is signed in already. */
export const ownTokenInput = tokenInput.extend({ password: anyPassword })

/** The same from where there is no browser, with proof of who asks. */
export const tokenSignInInput = tokenInput.extend({
  email: z.string().max(LIMITS.emailChars),
  password: anyPassword,
  scopes: tokenInput.shape.scopes.default([...SCOPES]),
})

/**
 * Signs in where there is no browser: e-mail and password for a token of one's own, under the limits of the sign-in page.
 * Errors: bad_sign_in, over_limit, invalid.
 */
export async function signInForToken(
  runtime: Pick<Runtime, 'db' | 'clock'>,
  input: z.infer<typeof tokenSignInInput>,
): Promise<{ id: string; token: string }> {
  const { userId } = await provePassword(runtime, { ...input, address: HERE })
  const tenantId = await firstTenant(runtime.db, userId)
  if (tenantId === null) throw new AppError('bad_sign_in', {})
  const maker = { db: runtime.db, tenantId, person: { id: userId }, now: () => runtime.clock.now(), newId: v7 }
  return createApiToken(maker, input)
}

/**
 * Makes a token for who is signed in, after their password was proven again: a stolen cookie alone makes nothing that
 * outlives it. Errors: invalid (password), over_limit, not_found.
 */
export async function createOwnToken(
  runtime: Pick<Runtime, 'db' | 'clock'>,
  ctx: Ctx,
  { password: tried, ...ask }: z.infer<typeof ownTokenInput>,
): Promise<{ id: string; token: string }> {
  await proveOwn(runtime, ctx, { field: 'password', tried })
  return createApiToken(ctx, ask)
}

/** The password that a person has, and the one that they want. */
export const changePasswordInput = z.strictObject({ current: anyPassword, next: password })

/**
 * Changes the own password after the current one was proven, and ends every other sign-in; what those opened closes within
 * two seconds. API tokens live on. Errors: invalid (field and limit), over_limit, conflict.
 */
export async function changePassword(
  runtime: Pick<Runtime, 'db' | 'clock'>,
  ctx: Ctx,
  input: z.infer<typeof changePasswordInput>,
): Promise<{ revoked: number }> {
  if (input.next === input.current) throw new AppError('invalid', { field: 'next', limit: 'the password that you have already' })
  const identity = await proveOwn(runtime, ctx, { field: 'current', tried: input.current })
  const passwordHash = await hashPassword(input.next)
  return changePasswordHash(ctx, { identityId: identity.id, before: identity.passwordHash, passwordHash })
}

/** A wrong one counts like a wrong sign-in: a stolen browser is no way to guess it. */
async function proveOwn(
  runtime: Pick<Runtime, 'db' | 'clock'>,
  ctx: Ctx,
  { field, tried }: { field: string; tried: string },
): Promise<LocalIdentity> {
  try {
    return await provePassword(runtime, { email: ctx.person.email, password: tried, address: HERE })
  } catch (error) {
    if (!isAppError(error) || error.code !== 'bad_sign_in') throw error
    throw new AppError('invalid', { field, limit: 'not your password' }, { cause: error })
  }
}

/**
 * Gives an account a new password without the old one, ends its waiting time and all its sign-ins. Only for the command line
 * on this very computer: who may write the database needs no other proof. Errors: not_found, invalid.
 */
export async function resetPassword(
  deps: Pick<Runtime, 'db' | 'clock'>,
  reset: { email: string; password: string },
): Promise<{ revoked: number }> {
  const chosen = password.safeParse(reset.password)
  if (!chosen.success) throw new AppError('invalid', { field: 'password', limit: chosen.error.issues[0]?.message ?? 'not valid' })
  const identity = await localIdentity(deps.db, email.safeParse(reset.email).data ?? '')
  if (!identity) throw new AppError('not_found', { what: 'account' })
  const { id, userId, passwordHash: before } = identity
  await replacePassword(deps.db, { identityId: id, before, passwordHash: await hashPassword(chosen.data) })
  return { revoked: await revokeOtherSignIns(deps.db, { userId, keepId: null, at: deps.clock.now() }) }
}
