import { z } from 'zod'
import { isAllowed } from '@/domain/permissions'
import { reasonText } from '@/domain/reasons'
import type { WorkloadEvent } from '@/domain/workloads'
import { listEvents } from '@/server/store/events'
import { listShares, relationsTo } from '@/server/store/shares'
import { type Ctx, loadFor } from './ctx'

/** Plain JSON: members in the order of their names, moments as ISO text in UTC. */
export type WorkloadExport = Record<string, unknown> & { redacted: string[] }

const PAGE = 500
/** Lines of the timeline that one answer holds: what is older would fill the memory of whoever gives and takes it. */
export const EXPORTED_EVENTS_MAX = 20_000
/** What a workload has and its export does not, for everybody. */
const REDACTED = ['idempotencyKey: a secret of its request', 'record: on its machine', 'workspace: on its machine']

/**
 * Everything that people gave a workload and what happened to it (the newest 20,000 lines), as JSON whose bytes are the same
 * as long as nothing changed. What is left out is named in `redacted`. Errors: not_found.
 */
export async function exportWorkload(ctx: Ctx, id: string): Promise<WorkloadExport> {
  const workload = await loadFor(ctx, 'workload.view', id)
  const relations = await relationsTo(ctx.db, ctx.tenantId, { userId: ctx.person.id, workloads: [workload] })
  const maySeeShares = isAllowed(ctx.person.role, relations.get(id) ?? 'other', 'workload.share')
  const shares = maySeeShares ? await listShares(ctx.db, ctx.tenantId, id) : []
  const { kind, name, spec, settings, ownerId, ownerName, createdAt, state, stateSince, reason } = workload
  const events = await newestEvents(ctx, id)
  const first = events[0]?.seq ?? 1
  const whole = {
    format: 'berth-workload',
    version: 1,
    ...{ id, kind, name, spec, settings, createdAt, state, stateSince, reason },
    owner: { id: ownerId, name: ownerName },
    events: events.map((event) => ({ ...event, text: reasonText(event.reason) })),
    shares: shares.map((share) => ({ userId: share.userId, level: share.level, createdAt: share.createdAt })),
    redacted: [
      ...REDACTED,
      ...(maySeeShares ? [] : ['shares: only who may change them sees them']),
      ...(first > 1 ? [`events: those before number ${first}`] : []),
    ].sort(),
  }
  return exported.parse(sorted(JSON.parse(JSON.stringify(whole))))
}
const exported = z.looseObject({ redacted: z.array(z.string()) })

/** The newest lines in their order, page by page from the end. */
async function newestEvents(ctx: Ctx, workloadId: string): Promise<WorkloadEvent[]> {
  const pages: WorkloadEvent[][] = []
  while (pages.length < EXPORTED_EVENTS_MAX / PAGE) {
    const beforeSeq = pages.at(-1)?.[0]?.seq
    const page = await listEvents(ctx.db, ctx.tenantId, { workloadId, beforeSeq, limit: PAGE })
    pages.push(page)
    if (page.length < PAGE) break
  }
  return pages.reverse().flat()
}

/** The databases keep members of JSON in an order of their own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]))
}
