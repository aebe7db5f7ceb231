import { z } from 'zod'
import { LIMITS } from '@/domain/limits'
import { SCOPES, type Scope } from '@/domain/tokens'
import type { Tx } from './db'
import { json } from './json'

export type ApiToken = {
  id: string
  name: string
  lastFour: string
  scopes: Scope[]
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | null
  revokedAt: Date | null
}

/** A person's tokens, the newest first, ended ones too. */
export async function listApiTokens(tx: Tx, tenantId: string, userId: string): Promise<ApiToken[]> {
  const rows = await tx.apiToken.findMany({
    where: { tenantId, userId },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: LIMITS.listMax,
    select: {
      id: true,
      name: true,
      lastFour: true,
      scopes: true,
      createdAt: true,
      expiresAt: true,
      lastUsedAt: true,
      revokedAt: true,
    },
  })
  return rows.map((row) => ({ ...row, scopes: z.array(z.enum(SCOPES)).parse(row.scopes) }))
}

/** How many of a person's tokens could be used now. */
export async function countApiTokens(tx: Tx, tenantId: string, asked: { userId: string; at: Date }): Promise<number> {
  return tx.apiToken.count({ where: { tenantId, userId: asked.userId, revokedAt: null, expiresAt: { gt: asked.at } } })
}

/** Records a token by its SHA-256. */
export async function insertApiToken(
  tx: Tx,
  tenantId: string,
  token: Omit<ApiToken, 'lastUsedAt' | 'revokedAt'> & { userId: string; secretHash: string },
): Promise<void> {
  const data = { ...token, tenantId, scopes: json(token.scopes) }
  await tx.apiToken.create({ data, select: { id: true } })
}

/** Ends a token of this person; false when they have no such living one. */
export async function revokeApiToken(
  tx: Tx,
  tenantId: string,
  revoked: { userId: string; id: string; at: Date },
): Promise<boolean> {
  const { userId, id, at } = revoked
  const { count } = await tx.apiToken.updateMany({ where: { tenantId, userId, id, revokedAt: null }, data: { revokedAt: at } })
  return count > 0
}
