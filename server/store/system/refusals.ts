import type { Tx } from '../db'

/** What the timeline says of one refused host: when it was last told, and how many there were then. */
export type NotedRefusal = { count: number; at: Date }

/** The hosts that a workload's timeline names as refused since its present start. */
export async function notedRefusals(tx: Tx, workloadId: string): Promise<Map<string, NotedRefusal>> {
  const placed = await tx.workloadEvent.aggregate({ where: { workloadId, toState: 'provisioning' }, _max: { seq: true } })
  const rows = await tx.workloadEvent.findMany({
    where: { workloadId, seq: { gt: placed._max.seq ?? 0 }, code: { in: ['egress_denied', 'egress_denied_often'] } },
    orderBy: { seq: 'asc' },
    select: { at: true, args: true },
  })
  return new Map(rows.flatMap(({ at, args }) => toNoted(args, at)))
}

function toNoted(args: unknown, at: Date): [string, NotedRefusal][] {
  if (typeof args !== 'object' || args === null || !('host' in args) || typeof args.host !== 'string') return []
  const count = 'count' in args && typeof args.count === 'number' ? args.count : 1
  return [[args.host, { count, at }]]
}
