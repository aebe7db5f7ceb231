import { LIMITS } from '@/domain/limits'
import type { Placement } from '@/domain/workloads'
import { listPlacements } from '@/server/store/placements'
import { type Ctx, loadFor } from './ctx'

/** One start of a workload: what it printed is kept under its placement. */
export type Start = Pick<Placement, 'workloadGen' | 'createdAt' | 'releasedAt'> & { placementId: string }

/** The newest starts, as many as a machine keeps the records and logs of. Errors: not_found. */
export async function listStarts(ctx: Ctx, workloadId: string): Promise<Start[]> {
  await loadFor(ctx, 'workload.view', workloadId)
  const placements = await listPlacements(ctx.db, ctx.tenantId, { workloadId, limit: LIMITS.keptStarts })
  return placements.map(({ id, workloadGen, createdAt, releasedAt }) => ({ placementId: id, workloadGen, createdAt, releasedAt }))
}
