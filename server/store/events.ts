import type { Reason } from '@/domain/reasons'
import type { State } from '@/domain/states'
import type { WorkloadEvent } from '@/domain/workloads'
import type { Tx } from './db'
import { json } from './json'
import { eventColumns, toEvent } from './rows'

export type NewEvent = {
  id: string
  workloadId: string
  seq: number
  changeNo: number
  at: Date
  from: State | null
  to: State | null
  reason: Reason
  actor: WorkloadEvent['actor']
  actorId: string | null
}

/** Adds one line to the timeline. `seq` is the workload row's own count, taken in the same transaction. */
export async function appendEvent(tx: Tx, tenantId: string, event: NewEvent): Promise<void> {
  const { from, to, reason, ...columns } = event
  await tx.workloadEvent.create({
    data: { ...columns, tenantId, fromState: from, toState: to, code: reason.code, args: json(reason.args) },
    select: { id: true },
  })
}

export type EventPage = { workloadId: string; afterSeq?: number | undefined; beforeSeq?: number | undefined; limit: number }

/** One page of the timeline, in order: after a sequence number, or the newest page, or the newest before a number. */
export async function listEvents(tx: Tx, tenantId: string, page: EventPage): Promise<WorkloadEvent[]> {
  const { workloadId, afterSeq, beforeSeq, limit } = page
  const isForward = afterSeq !== undefined
  const seq = { ...(isForward ? { gt: afterSeq } : {}), ...(beforeSeq === undefined ? {} : { lt: beforeSeq }) }
  const rows = await tx.workloadEvent.findMany({
    where: { tenantId, workloadId, seq },
    orderBy: { seq: isForward ? 'asc' : 'desc' },
    take: limit,
    select: eventColumns,
  })
  return (isForward ? rows : rows.reverse()).map(toEvent)
}

/** Which of these codes the notes since its last move have, the newest first. */
export async function codesSinceMove(
  tx: Tx,
  tenantId: string,
  query: { workloadId: string; codes: readonly string[]; limit: number },
): Promise<string[]> {
  const { workloadId, codes, limit } = query
  const newest = { orderBy: { seq: 'desc' } } as const
  const of = { tenantId, workloadId }
  const move = await tx.workloadEvent.findFirst({ where: { ...of, toState: { not: null } }, ...newest, select: { seq: true } })
  const notes = await tx.workloadEvent.findMany({
    where: { ...of, seq: { gt: move?.seq ?? 0 }, code: { in: [...codes] } },
    ...newest,
    take: limit,
    select: { code: true },
  })
  return notes.map((event) => event.code)
}

/** Ids of the workloads with an event after a value of the change counter, and at most this many. */
export async function changedSince(
  tx: Tx,
  tenantId: string,
  query: { changeNo: number; limit: number },
): Promise<{ workloadId: string; changeNo: number }[]> {
  const rows = await tx.workloadEvent.groupBy({
    by: ['workloadId'],
    where: { tenantId, changeNo: { gt: query.changeNo } },
    _max: { changeNo: true },
    orderBy: { _max: { changeNo: 'desc' } },
    take: query.limit,
  })
  return rows.map((row) => ({ workloadId: row.workloadId, changeNo: row._max.changeNo ?? query.changeNo }))
}
