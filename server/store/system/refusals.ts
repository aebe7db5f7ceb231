import type { ReasonCode } from '@/domain/reasons'
import type { Tx } from '../db'

/** What the timeline says of one refused host: when it was last told, and how many there were then. */
export type NotedRefusal = { count: number; at: Date }

/** The hosts that a workload's timeline names as refused since its present start. */
export async function notedRefusals(tx: Tx, workloadId: string): Promise<Map<string, NotedRefusal>> {
  return notedHosts(tx, workloadId, ['egress_denied', 'egress_denied_often'])
}

/** The hosts to which a workload sent a lot, as its timeline names them since its present start. */
export async function notedVolumes(tx: Tx, workloadId: string): Promise<Set<string>> {
  return new Set((await notedHosts(tx, workloadId, ['egress_volume'])).keys())
}

async function notedHosts(tx: Tx, workloadId: string, codes: ReasonCode[]): Promise<Map<string, NotedRefusal>> {
  const placed = await tx.workloadEvent.aggregate({ where: { workloadId, toState: 'provisioning' }, _max: { seq: true } })
  const rows = await tx.workloadEvent.findMany({
    where: { workloadId, seq: { gt: placed._max.seq ?? 0 }, code: { in: codes } },
    orderBy: { seq: 'asc' },
    select: { at: true, args: true },
  })
  return new Map(rows.flatMap(({ at, args }) => toNoted(args, at)))
}

/** So many hosts are told at a time; the next question gives the next ones. */
const TOLD_MAX = 8

/** The hosts that a workload's timeline named first after this event, and the event to go on from. Null: only where to begin. */
export async function refusedAfter(tx: Tx, workloadId: string, after: number | null): Promise<{ hosts: string[]; last: number }> {
  if (after === null) {
    const { _max } = await tx.workloadEvent.aggregate({ where: { workloadId }, _max: { seq: true } })
    return { hosts: [], last: _max.seq ?? 0 }
  }
  const rows = await tx.workloadEvent.findMany({
    where: { workloadId, seq: { gt: after }, code: 'egress_denied' },
    orderBy: { seq: 'asc' },
    take: TOLD_MAX,
    select: { seq: true, at: true, args: true },
  })
  return { hosts: rows.flatMap(({ at, args }) => toNoted(args, at).map(([host]) => host)), last: rows.at(-1)?.seq ?? after }
}

function toNoted(args: unknown, at: Date): [string, NotedRefusal][] {
  if (typeof args !== 'object' || args === null || !('host' in args) || typeof args.host !== 'string') return []
  const count = 'count' in args && typeof args.count === 'number' ? args.count : 1
  return [[args.host, { count, at }]]
}
