import { personKey, type Waiting } from '@/domain/queue'
import type { Tx } from './db'

const WAITING_MAX = 2000

/** What the order of a tenant's queue depends on: who waits since when, and how many of each person are placed now. */
export async function waitingQueue(tx: Tx, tenantId: string): Promise<{ waiting: Waiting[]; running: Map<string, number> }> {
  const waiting = await tx.workload.findMany({
    where: { tenantId, state: 'queued' },
    orderBy: [{ stateSince: 'asc' }, { id: 'asc' }],
    take: WAITING_MAX,
    select: { id: true, tenantId: true, ownerId: true, stateSince: true },
  })
  const placed = await tx.placement.findMany({
    where: { tenantId, releasedAt: null },
    select: { id: true, workload: { select: { placementId: true, ownerId: true } } },
  })
  const running = new Map<string, number>()
  for (const { id, workload } of placed) {
    if (workload.placementId !== id) continue
    const key = personKey({ tenantId, ownerId: workload.ownerId })
    running.set(key, (running.get(key) ?? 0) + 1)
  }
  return { waiting, running }
}
