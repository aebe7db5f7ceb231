import { AppError } from '@/domain/errors'
import type { Db } from '@/server/store/db'
import { inTx } from '@/server/store/db'
import { insertAccount, insertTenant } from '@/server/store/system/accounts'
import { closeSetup, installation, useSetupSecret } from '@/server/store/system/setup'
import { secretHash } from './secrets'

/** What the set-up needs of its caller: nobody is signed in yet. */
export type SystemCtx = { db: Db; now(): Date; newId(): string }

export type FirstAccount = { secret: string; name: string; email: string; passwordHash: string; tenantName: string }

/**
 * Makes the operator, the first tenant and its ownership in one transaction that also closes the set-up for ever. The
 * password was hashed before. Errors: setup_closed, setup_secret.
 */
export async function createFirstAccount(ctx: SystemCtx, account: FirstAccount): Promise<{ userId: string; tenantId: string }> {
  const userId = ctx.newId()
  const tenantId = ctx.newId()
  const at = ctx.now()
  await inTx(ctx.db, async (tx) => {
    if (!(await closeSetup(tx, at))) throw new AppError('setup_closed', {})
    if (!(await useSetupSecret(tx, { secretHash: secretHash(account.secret), at }))) throw new AppError('setup_secret', {})
    const { email, name, passwordHash } = account
    await insertAccount(tx, { userId, identityId: ctx.newId(), email, name, passwordHash, isOperator: true, at })
    await insertTenant(tx, {
      id: tenantId,
      quotaId: ctx.newId(),
      membershipId: ctx.newId(),
      ownerId: userId,
      name: account.tenantName,
      trust: 'trusted',
      at,
    })
  })
  return { userId, tenantId }
}

/** Is there no account yet? */
export async function isSetupOpen(ctx: Pick<SystemCtx, 'db'>): Promise<boolean> {
  const row = await installation(ctx.db)
  return row !== null && !row.isSetUp
}
