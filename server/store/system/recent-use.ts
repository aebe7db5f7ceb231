import { z } from 'zod'
import { decayedUse, SHARE_WINDOW_DAYS } from '@/domain/fair-share'
import type { Tx } from '../db'

/** The newest starts that a share is counted from; older ones count little. */
const STARTS_MAX = 20_000

/** What people used of late, as `decayedUse` counts it: those of one tenant, or of the whole installation. */
export async function recentUse(db: Tx, of: { tenantId?: string }, now: Date): Promise<Map<string, number>> {
  const since = new Date(now.getTime() - SHARE_WINDOW_DAYS * 86_400_000)
  const rows = await db.placement.findMany({
    where: { ...of, OR: [{ releasedAt: null }, { releasedAt: { gt: since } }] },
    orderBy: { createdAt: 'desc' },
    take: STARTS_MAX,
    select: {
      tenantId: true,
      cpus: true,
      devices: true,
      createdAt: true,
      releasedAt: true,
      workload: { select: { ownerId: true } },
    },
  })
  const held = rows.map(({ tenantId, cpus, devices, createdAt: from, releasedAt: to, workload }) => {
    return { tenantId, ownerId: workload.ownerId, cpus, gpus: z.array(z.string()).parse(devices).length, from, to }
  })
  return decayedUse(held, now)
}
