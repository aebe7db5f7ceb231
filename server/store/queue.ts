import { personKey, type Shares, type Waiting } from '@/domain/queue'
import type { Tx } from './db'
import { recentUse } from './system/recent-use'

const WAITING_MAX = 2000

/** What the order of a tenant's queue depends on: who waits since when, and what each person used of late and holds now. */
export async function waitingQueue(tx: Tx, tenantId: string, now: Date): Promise<{ waiting: Waiting[]; shares: Shares }> {
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
  const shares = await recentUse(tx, { tenantId }, now)
  for (const { id, workload } of placed) {
    if (workload.placementId !== id) continue
    const key = personKey({ tenantId, ownerId: workload.ownerId })
    shares.set(key, (shares.get(key) ?? 0) + 1)
  }
  return { waiting, shares }
}
