import { AppError } from '@/domain/errors'
import { buildFunnel, type PlacementAsk } from '@/domain/funnel'
import type { Kind } from '@/domain/kinds'
import type { Funnel } from '@/domain/placement'
import type { WorkloadSpec } from '@/domain/workloads'
import { candidates } from '@/server/store/machines'
import { findTenant } from '@/server/store/users'
import { queuePlace } from '@/server/store/workloads'
import { type Ctx, loadFor } from './ctx'

/** Why a queued workload waits: each filter, each machine, the place in the queue and what would help. Errors: not_found, wrong_state. */
export async function whyWaiting(ctx: Ctx, id: string): Promise<Funnel> {
  const workload = await loadFor(ctx, 'workload.view', id)
  if (workload.state !== 'queued') throw new AppError('wrong_state', { action: 'explain the wait of', state: workload.state })
  const queue = await queuePlace(ctx.db, ctx.tenantId, { id, since: workload.stateSince })
  const { spec, kind, tenantId, ownerId, workspaceMachineId } = workload
  const ask = { ...(await askBase(ctx)), spec, kind, tenantId, ownerId, pinnedMachineId: workspaceMachineId }
  return buildFunnel(ask, await candidates(ctx.db, ctx.tenantId), { queue })
}

/** Would this run now, and where? For the form, before anything is created. */
export async function fit(ctx: Ctx, asked: { kind: Kind; spec: WorkloadSpec }): Promise<Funnel> {
  const { length } = await queuePlace(ctx.db, ctx.tenantId, null)
  const ask = { ...(await askBase(ctx)), ...asked, tenantId: ctx.tenantId, ownerId: ctx.person.id, pinnedMachineId: null }
  const queue = { position: length + 1, length: length + 1 }
  return buildFunnel(ask, await candidates(ctx.db, ctx.tenantId), { queue })
}

async function askBase(ctx: Ctx): Promise<Pick<PlacementAsk, 'trust' | 'catalog' | 'now'>> {
  const tenant = await findTenant(ctx.db, ctx.tenantId)
  return { trust: tenant?.trust ?? 'untrusted', catalog: ctx.catalog, now: ctx.now() }
}
