import { z } from 'zod'
import { TRUST, type Trust } from '@/domain/kinds'
import type { Tx } from '../db'

/** Trust of every tenant, for placement. */
export async function tenantTrust(db: Tx): Promise<Map<string, Trust>> {
  const rows = await db.tenant.findMany({ select: { id: true, trust: true } })
  return new Map(rows.map((row) => [row.id, z.enum(TRUST).parse(row.trust)]))
}
