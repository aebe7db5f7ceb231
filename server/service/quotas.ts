import { AppError } from '@/domain/errors'
import { brokenLimit, QUOTA_LIMITS, type QuotaLimits, type QuotaUse, quotaUse } from '@/domain/quota'
import type { WorkloadSpec } from '@/domain/workloads'
import type { Tx } from '@/server/store/db'
import { countedWorkloads, readQuotas, takeQuota } from '@/server/store/quota'

/** A workload that is about to begin or to begin again; `id` is null before it exists. */
export type Beginning = { id: string | null; tenantId: string; ownerId: string; spec: WorkloadSpec }

/**
 * The guarded write of what takes more of a tenant: holds its quota row to the end of the transaction, so that what is
 * counted stays true. Errors: not_found (no such tenant), over_quota.
 */
export async function reserveQuota(tx: Tx, beginning: Beginning): Promise<void> {
  if (!(await takeQuota(tx, beginning.tenantId))) throw new AppError('not_found', { what: 'tenant' })
  await checkQuota(tx, beginning)
}

/** Is there room? The caller holds the quota row. Errors: over_quota (whose, which limit, and its use). */
export async function checkQuota(tx: Tx, beginning: Beginning): Promise<void> {
  const { tenantId, ownerId } = beginning
  const { tenant, person } = await readQuotas(tx, tenantId, ownerId)
  if (Object.keys({ ...tenant, ...person }).length === 0) return
  const others = (await countedWorkloads(tx, tenantId)).filter((workload) => workload.id !== beginning.id)
  const asked = quotaUse({ state: 'queued', spec: beginning.spec })
  const own = others.filter((workload) => workload.ownerId === ownerId)
  requireRoom(person, { whose: 'your', used: own.map(quotaUse), asked })
  requireRoom(tenant, { whose: "the tenant's", used: others.map(quotaUse), asked })
}

type Counted = { whose: 'your' | "the tenant's"; used: readonly QuotaUse[]; asked: QuotaUse }

function requireRoom(limits: QuotaLimits, { whose, ...counted }: Counted): void {
  const broken = brokenLimit(limits, counted)
  if (!broken) return
  const { label, text } = QUOTA_LIMITS[broken.limit]
  const { asked, used, max } = broken
  throw new AppError('over_quota', { whose, limit: label, asked: text(asked), used: text(used), max: text(max) })
}
