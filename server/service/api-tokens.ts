import { randomBytes } from 'node:crypto'
import { AppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'
import { formatToken, type Scope, TOKEN_BYTES } from '@/domain/tokens'
import * as store from '@/server/store/api-tokens'
import { inTx } from '@/server/store/db'
import { takeQuota } from '@/server/store/quota'
import type { Ctx, Person } from './ctx'
import { secretHash } from './secrets'

export type TokenAsk = { name: string; scopes: readonly Scope[]; days: number }
/** What making a token needs of its caller: a person in a tenant, signed in or just proven by password. */
type Maker = Pick<Ctx, 'db' | 'tenantId' | 'now' | 'newId'> & { person: Pick<Person, 'id'> }
export type TokenView = store.ApiToken & { isCurrent: boolean }

/** The person's own tokens, the newest first; nobody sees another one's. */
export async function listApiTokens(ctx: Ctx): Promise<TokenView[]> {
  const rows = await store.listApiTokens(ctx.db, ctx.tenantId, ctx.person.id)
  return rows.map((row) => ({ ...row, isCurrent: row.id === ctx.apiTokenId }))
}

/** Makes a token. Its text is returned once and only its hash is kept. Errors: not_found (tenant), over_limit. */
export async function createApiToken(ctx: Maker, ask: TokenAsk): Promise<{ id: string; token: string }> {
  const token = formatToken('apiToken', randomBytes(TOKEN_BYTES))
  const id = ctx.newId()
  const at = ctx.now()
  await inTx(ctx.db, async (tx) => {
    if (!(await takeQuota(tx, ctx.tenantId))) throw new AppError('not_found', { what: 'tenant' })
    const living = await store.countApiTokens(tx, ctx.tenantId, { userId: ctx.person.id, at })
    if (living >= LIMITS.apiTokensPerUser)
      throw new AppError('over_limit', { limit: 'living API tokens', max: LIMITS.apiTokensPerUser })
    await store.insertApiToken(tx, ctx.tenantId, {
      id,
      userId: ctx.person.id,
      name: ask.name,
      scopes: [...ask.scopes],
      secretHash: secretHash(token),
      lastFour: token.slice(-4),
      createdAt: at,
      expiresAt: new Date(at.getTime() + ask.days * 86_400_000),
    })
  })
  return { id, token }
}

/** Ends one of the person's own tokens, and within two seconds what it opened. Errors: not_found. */
export async function revokeApiToken(ctx: Ctx, id: string): Promise<void> {
  const revoked = { userId: ctx.person.id, id, at: ctx.now() }
  if (!(await store.revokeApiToken(ctx.db, ctx.tenantId, revoked))) throw new AppError('not_found', { what: 'API token' })
}

/** Ends the token that asks. Errors: not_found (a browser asked). */
export async function endOwnToken(ctx: Ctx): Promise<void> {
  return revokeApiToken(ctx, ctx.apiTokenId ?? '')
}
