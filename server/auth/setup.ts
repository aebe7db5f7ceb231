import { v7 } from 'uuid'
import { z } from 'zod'
import { AppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'
import { email, password, personName, tenantName } from '@/domain/names'
import { isToken } from '@/domain/tokens'
import { secretHash } from '@/server/service/secrets'
import { createFirstAccount, isSetupOpen } from '@/server/service/setup'
import { ensureInstallation, putSetupSecret } from '@/server/store/system/setup'
import { hashPassword } from './passwords'
import type { Runtime } from './runtime'
import { newToken } from './secrets'

type Deps = Pick<Runtime, 'db' | 'clock'>

/** What the first page asks for. The secret comes from the link's fragment. */
export const firstAccountInput = z.strictObject({
  secret: z.string().max(100),
  name: personName,
  email,
  password,
  tenantName,
})

/**
 * Makes a link with which the first account is made: 15 minutes, once; older links stop working. Only its hash is stored,
 * so it can be printed now or never. Null when an account exists. `npm start` and `berth setup-link` print it.
 */
export async function mintSetupLink(deps: Deps & { port: number }): Promise<{ link: string; expiresAt: Date } | null> {
  const at = deps.clock.now()
  const { isSetUp } = await ensureInstallation(deps.db, { id: v7(), at })
  if (isSetUp) return null
  const secret = newToken('setup')
  const expiresAt = new Date(at.getTime() + LIMITS.setupMinutes * 60_000)
  await putSetupSecret(deps.db, { id: v7(), secretHash: secretHash(secret), createdAt: at, expiresAt })
  return { link: `http://localhost:${deps.port}/setup#${secret}`, expiresAt }
}

/**
 * Makes the first account and closes the set-up. The password is hashed before the transaction, and only for a secret of
 * the right form. The client signs in afterwards. Errors: setup_closed, setup_secret, over_limit, invalid.
 */
export async function setUp(deps: Deps, input: z.infer<typeof firstAccountInput>): Promise<{ email: string }> {
  if (!(await isSetupOpen(deps))) throw new AppError('setup_closed', {})
  if (!isToken('setup', input.secret)) throw new AppError('setup_secret', {})
  const { secret, name, tenantName: tenant } = input
  const passwordHash = await hashPassword(input.password)
  const ctx = { db: deps.db, now: () => deps.clock.now(), newId: v7 }
  await createFirstAccount(ctx, { secret, name, email: input.email, passwordHash, tenantName: tenant })
  return { email: input.email }
}
