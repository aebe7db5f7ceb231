import { LIMITS } from '@/domain/limits'
import type { InstanceUse } from '@/domain/machines'
import { isAllowed } from '@/domain/permissions'
import { latestWorkloadSamples, workloadSamples } from '@/server/store/samples'
import { relationsTo } from '@/server/store/shares'
import { findWorkloads } from '@/server/store/workloads'
import { type Ctx, loadFor } from './ctx'

/** What a workload used of its machine over the last half hour, the oldest sample first. Errors: not_found. */
export async function workloadUse(ctx: Ctx, id: string): Promise<{ samples: { at: Date; use: InstanceUse }[] }> {
  const workload = await loadFor(ctx, 'workload.view', id)
  const since = new Date(ctx.now().getTime() - LIMITS.sampleSlots * LIMITS.sampleSeconds * 1000)
  return { samples: await workloadSamples(ctx.db, ctx.tenantId, { workloadId: workload.id, since }) }
}

/** What these workloads use now. One that this person may not see, or that has no sample of the last minute, is left out. */
export async function latestUse(ctx: Ctx, ids: readonly string[]): Promise<{ workloadId: string; at: Date; use: InstanceUse }[]> {
  const workloads = await findWorkloads(ctx.db, ctx.tenantId, ids)
  const relations = await relationsTo(ctx.db, ctx.tenantId, { userId: ctx.person.id, workloads })
  const seen = workloads.filter(({ id }) => isAllowed(ctx.person.role, relations.get(id) ?? 'other', 'workload.view'))
  return latestWorkloadSamples(ctx.db, ctx.tenantId, { workloadIds: seen.map(({ id }) => id), now: ctx.now() })
}
