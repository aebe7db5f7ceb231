import { AppError } from '@/domain/errors'
import { buildFunnel, type PlacementAsk } from '@/domain/funnel'
import type { Kind } from '@/domain/kinds'
import type { Holder } from '@/domain/parking'
import { isAllowed } from '@/domain/permissions'
import type { Funnel } from '@/domain/placement'
import { placeInQueue } from '@/domain/queue'
import type { WorkloadSpec } from '@/domain/workloads'
import { candidates } from '@/server/store/machines'
import { waitingQueue } from '@/server/store/queue'
import { visibleReason } from '@/server/store/reasons'
import { findTenant } from '@/server/store/users'
import { listWorkloads } from '@/server/store/workloads'
import { type Ctx, loadFor } from './ctx'

const HOLDERS_MAX = 100

/** Why a queued workload waits: each filter, each machine, the place in the queue and what would help. Errors: not_found, wrong_state. */
export async function whyWaiting(ctx: Ctx, id: string): Promise<Funnel> {
  const workload = await loadFor(ctx, 'workload.view', id)
  if (workload.state !== 'queued') throw new AppError('wrong_state', { action: 'explain the wait of', state: workload.state })
  const { waiting, shares } = await waitingQueue(ctx.db, ctx.tenantId, ctx.now())
  const queue = placeInQueue(id, waiting, shares)
  const { spec, kind, ownerId, workspaceMachineId } = workload
  return funnelFor(ctx, { spec, kind, ownerId, pinnedMachineId: workspaceMachineId, queue })
}

/** Would this run now, and where? For the form, before anything is created. */
export async function fit(ctx: Ctx, asked: { kind: Kind; spec: WorkloadSpec }): Promise<Funnel> {
  const { waiting, shares } = await waitingQueue(ctx.db, ctx.tenantId, ctx.now())
  // Behind this person's own that wait since the same moment: no row id sorts after it.
  const asking = { id: 'new', tenantId: ctx.tenantId, ownerId: ctx.person.id, stateSince: ctx.now() }
  const queue = placeInQueue(asking.id, [...waiting, asking], shares)
  return funnelFor(ctx, { ...asked, ownerId: ctx.person.id, pinnedMachineId: null, queue })
}

type Asked = Pick<PlacementAsk, 'spec' | 'kind' | 'ownerId' | 'pinnedMachineId'> & { queue: NonNullable<Funnel['queue']> }

/** What an untrusted tenant may not see of machines that others use too is left out, in the rows and in the reason. */
async function funnelFor(ctx: Ctx, { queue, ...asked }: Asked): Promise<Funnel> {
  const tenant = await findTenant(ctx.db, ctx.tenantId)
  const trust = tenant?.trust ?? 'untrusted'
  const ask = { ...asked, tenantId: ctx.tenantId, trust, catalog: ctx.catalog, now: ctx.now() }
  const funnel = buildFunnel(ask, await candidates(ctx.db, ctx.tenantId), { queue, holders: await ownHolders(ctx) })
  return { ...funnel, reason: visibleReason(funnel.reason, trust) }
}

/** Of one's own what is up and could be parked. */
async function ownHolders({ db, tenantId, person }: Ctx): Promise<Holder[]> {
  if (!isAllowed(person.role, 'own', 'workload.operate')) return []
  const own = { visible: { userId: person.id }, ownerId: person.id, states: ['running', 'paused'] as const }
  const rows = await listWorkloads(db, tenantId, { ...own, limit: HOLDERS_MAX })
  return rows.flatMap(({ id, name, placement }) => (placement ? [{ ...placement, workloadId: id, name }] : []))
}
