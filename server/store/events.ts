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

/** The timeline in order, after a sequence number. */
export async function listEvents(
  tx: Tx,
  tenantId: string,
  query: { workloadId: string; afterSeq: number; limit: number },
): Promise<WorkloadEvent[]> {
  const rows = await tx.workloadEvent.findMany({
    where: { tenantId, workloadId: query.workloadId, seq: { gt: query.afterSeq } },
    orderBy: { seq: 'asc' },
    take: query.limit,
    select: eventColumns,
  })
  return rows.map(toEvent)
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
