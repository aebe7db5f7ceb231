import { AppError } from '@/domain/errors'
import { mayCreate } from '@/domain/kinds'
import { LIMITS } from '@/domain/limits'
import type { State } from '@/domain/states'
import type { WorkloadView } from '@/domain/views'
import type { CreateWorkloadInput, ListWorkloadsInput, Workload, WorkloadEvent } from '@/domain/workloads'
import { changedSince, listEvents as listEventRows } from '@/server/store/events'
import { countByState, findWorkloads, listWorkloads as listRows, type Visible } from '@/server/store/workloads'
import { insertRequested } from './creation'
import { type Ctx, loadFor } from './ctx'
import { toViews } from './views'

/** Accepts a workload and returns it as queued; see `creation.ts` for limits, names and idempotency. Errors: forbidden, invalid, not_found, name_taken, over_limit, idempotency_mismatch. */
export async function createWorkload(ctx: Ctx, input: CreateWorkloadInput): Promise<Workload> {
  if (!mayCreate(ctx.person.role)) throw new AppError('forbidden', { action: 'create workloads' })
  return insertRequested(ctx, input)
}

/** One workload as this person sees it. Errors: not_found. */
export async function getWorkload(ctx: Ctx, id: string): Promise<WorkloadView> {
  const workload = await loadFor(ctx, 'workload.view', id)
  const [view] = await toViews(ctx, [workload])
  if (!view) throw new AppError('not_found', { what: 'workload' })
  return view
}

/** Newest first, only what this person may see; `nextCursor` is null on the last page. */
export async function listWorkloads(
  ctx: Ctx,
  input: ListWorkloadsInput,
): Promise<{ rows: WorkloadView[]; nextCursor: string | null }> {
  const rows = await listRows(ctx.db, ctx.tenantId, {
    visible: visibleTo(ctx),
    states: input.states,
    kinds: input.kinds,
    text: input.text,
    ownerId: input.mine ? ctx.person.id : undefined,
    hasEnded: input.ended,
    cursor: input.cursor,
    limit: input.limit + 1,
  })
  const page = rows.slice(0, input.limit)
  return { rows: await toViews(ctx, page), nextCursor: rows.length > page.length ? (page.at(-1)?.id ?? null) : null }
}

/** How many workloads this person sees in each state. */
export async function countWorkloads(ctx: Ctx): Promise<Record<State, number>> {
  return countByState(ctx.db, ctx.tenantId, { visible: visibleTo(ctx) })
}

export type EventsAsk = {
  id: string
  afterSeq?: number | undefined
  beforeSeq?: number | undefined
  limit?: number | undefined
}

/**
 * One page of the timeline, oldest line first: what follows `afterSeq`, what came before `beforeSeq`, or the newest lines.
 * Errors: not_found.
 */
export async function listEvents(ctx: Ctx, ask: EventsAsk): Promise<WorkloadEvent[]> {
  await loadFor(ctx, 'workload.view', ask.id)
  const { id: workloadId, afterSeq, beforeSeq, limit = EVENTS_MAX } = ask
  return listEventRows(ctx.db, ctx.tenantId, { workloadId, afterSeq, beforeSeq, limit: Math.min(limit, EVENTS_MAX) })
}
const EVENTS_MAX = 200

/**
 * What this person sees of the workloads that changed after a value of the change counter. Null: more changed than one
 * answer holds, so the caller reads its lists again.
 */
export async function workloadsChangedSince(ctx: Ctx, changeNo: number): Promise<WorkloadView[] | null> {
  const changed = await changedSince(ctx.db, ctx.tenantId, { changeNo, limit: LIMITS.listMax + 1 })
  if (changed.length > LIMITS.listMax) return null
  const rows = await findWorkloads(
    ctx.db,
    ctx.tenantId,
    changed.map((row) => row.workloadId),
  )
  return (await toViews(ctx, rows)).filter((view) => view.may.includes('workload.view'))
}

/** Owners and admins of the tenant see every workload; others their own and those shared with them. */
function visibleTo(ctx: Ctx): Visible {
  const { role, id } = ctx.person
  return role === 'owner' || role === 'admin' ? null : { userId: id }
}
