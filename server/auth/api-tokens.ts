import { isToken, SCOPES } from '@/domain/tokens'
import { secretHash } from '@/server/service/secrets'
import { findApiToken, touchApiToken } from '@/server/store/system/api-tokens'
import type { Caller } from './caller'
import type { Runtime } from './runtime'

const TOUCH_SECONDS = 60

/** Whose token an `Authorization: Bearer …` header holds, or null. A wrong checksum is refused without a query. */
export async function verifyApiToken(deps: Pick<Runtime, 'db' | 'clock'>, authorization: string): Promise<Caller | null> {
  const [scheme, token, ...rest] = authorization.split(' ')
  if (scheme?.toLowerCase() !== 'bearer' || rest.length > 0 || !token || !isToken('apiToken', token)) return null
  const now = deps.clock.now()
  const owner = await findApiToken(deps.db, secretHash(token), now)
  if (!owner) return null
  await touchApiToken(deps.db, { id: owner.id, at: now, everySeconds: TOUCH_SECONDS })
  return {
    person: { ...owner.person, role: owner.role },
    tenantId: owner.tenantId,
    via: 'token',
    signInId: null,
    apiTokenId: owner.id,
    scopes: SCOPES.filter((scope) => owner.scopes.includes(scope)),
  }
}
