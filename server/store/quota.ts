import { z } from 'zod'
import { type QuotaLimits, quotaLimits } from '@/domain/quota'
import { isTerminal, STATE_NAMES, type State } from '@/domain/states'
import { type WorkloadSpec, workloadSpec } from '@/domain/workloads'
import type { Tx } from './db'
import { json } from './json'

/** Create's guarded write: takes the tenant's quota row, so that creates of one tenant go one after the other. False: no such tenant. */
export async function takeQuota(tx: Tx, tenantId: string): Promise<boolean> {
  const { count } = await tx.quota.updateMany({ where: { tenantId, userKey: '' }, data: { version: { increment: 1 } } })
  return count > 0
}

/** The limits of a tenant and of one person in it. The caller holds the tenant's row. */
export async function readQuotas(
  tx: Tx,
  tenantId: string,
  userId: string,
): Promise<{ tenant: QuotaLimits; person: QuotaLimits }> {
  const rows = await tx.quota.findMany({
    where: { tenantId, userKey: { in: ['', userId] } },
    select: { userKey: true, limits: true },
  })
  const limitsOf = (key: string) => quotaLimits.parse(rows.find((row) => row.userKey === key)?.limits ?? {})
  return { tenant: limitsOf(''), person: limitsOf(userId) }
}

/** Sets the limits of a tenant, or of one person in it; an empty set bounds nothing. The tenant's own row exists since it does. */
export async function saveQuota(
  tx: Tx,
  tenantId: string,
  saved: { id: string; userId: string | null; limits: QuotaLimits },
): Promise<void> {
  const userKey = saved.userId ?? ''
  const limits = json(saved.limits)
  const { count } = await tx.quota.updateMany({ where: { tenantId, userKey }, data: { limits } })
  if (count === 0) await tx.quota.create({ data: { id: saved.id, tenantId, userKey, limits }, select: { id: true } })
}

/** What of a tenant counts for its quotas: every workload that is not over. */
export async function countedWorkloads(
  tx: Tx,
  tenantId: string,
): Promise<{ id: string; ownerId: string; state: State; spec: WorkloadSpec }[]> {
  const rows = await tx.workload.findMany({
    where: { tenantId, state: { in: STATE_NAMES.filter((state) => !isTerminal(state)) } },
    select: { id: true, ownerId: true, state: true, spec: true },
  })
  return rows.map((row) => ({ ...row, state: z.enum(STATE_NAMES).parse(row.state), spec: workloadSpec.parse(row.spec) }))
}
