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
