import { LIMITS } from '@/domain/limits'
import type { InstanceUse } from '@/domain/machines'
import { workloadSamples } from '@/server/store/samples'
import { type Ctx, loadFor } from './ctx'

/** What a workload used of its machine over the last half hour, the oldest sample first. Errors: not_found. */
export async function workloadUse(ctx: Ctx, id: string): Promise<{ samples: { at: Date; use: InstanceUse }[] }> {
  const workload = await loadFor(ctx, 'workload.view', id)
  const since = new Date(ctx.now().getTime() - LIMITS.sampleSlots * LIMITS.sampleSeconds * 1000)
  return { samples: await workloadSamples(ctx.db, ctx.tenantId, { workloadId: workload.id, since }) }
}
