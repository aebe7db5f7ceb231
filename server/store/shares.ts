import { z } from 'zod'
import { LIMITS } from '@/domain/limits'
import { type Relation, SHARE_LEVELS, type ShareLevel } from '@/domain/permissions'
import type { Workload } from '@/domain/workloads'
import type { Tx } from './db'

/** How a person relates to each of these workloads: owner, the best share that names them or the tenant, or other. */
export async function relationsTo(
  tx: Tx,
  tenantId: string,
  asked: { userId: string; workloads: readonly Pick<Workload, 'id' | 'ownerId'>[] },
): Promise<Map<string, Relation>> {
  const foreign = asked.workloads.filter((workload) => workload.ownerId !== asked.userId).map((workload) => workload.id)
  const shares = foreign.length === 0 ? [] : await sharesOf(tx, tenantId, { userId: asked.userId, ids: foreign })
  return new Map(
    asked.workloads.map((workload) => {
      if (workload.ownerId === asked.userId) return [workload.id, 'own']
      return [workload.id, best(shares.filter((share) => share.workloadId === workload.id).map((share) => share.level))]
    }),
  )
}

/** Shares a workload, or changes the level. `userId` null means the whole tenant. The caller holds the workload's row. */
export async function putShare(
  tx: Tx,
  tenantId: string,
  share: { id: string; workloadId: string; userId: string | null; level: ShareLevel; at: Date },
): Promise<void> {
  const userKey = share.userId ?? ''
  const { count } = await tx.share.updateMany({
    where: { tenantId, workloadId: share.workloadId, userKey },
    data: { level: share.level },
  })
  if (count > 0) return
  const workload = { connect: { id: share.workloadId, tenantId } }
  await tx.share.create({
    data: { id: share.id, tenantId, userKey, level: share.level, createdAt: share.at, workload },
    select: { id: true },
  })
}

/** Takes a share back; absent already is success. */
export async function deleteShare(tx: Tx, tenantId: string, share: { workloadId: string; userId: string | null }): Promise<void> {
  await tx.share.deleteMany({ where: { tenantId, workloadId: share.workloadId, userKey: share.userId ?? '' } })
}

export type Share = { userId: string | null; level: ShareLevel; createdAt: Date }

/** With whom a workload is shared, the oldest share first. */
export async function listShares(tx: Tx, tenantId: string, workloadId: string): Promise<Share[]> {
  const rows = await tx.share.findMany({
    where: { tenantId, workloadId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: LIMITS.sharesMax,
    select: { userKey: true, level: true, createdAt: true },
  })
  return rows.map(({ userKey, level, createdAt }) => ({
    userId: userKey === '' ? null : userKey,
    level: z.enum(SHARE_LEVELS).parse(level),
    createdAt,
  }))
}

/** Was any share of this tenant taken back after a value of the change counter? */
export async function wasUnsharedSince(tx: Tx, tenantId: string, changeNo: number): Promise<boolean> {
  return (await tx.workloadEvent.count({ where: { tenantId, changeNo: { gt: changeNo }, code: 'unshared_by_person' } })) > 0
}

async function sharesOf(tx: Tx, tenantId: string, asked: { userId: string; ids: string[] }) {
  const rows = await tx.share.findMany({
    where: { tenantId, workloadId: { in: asked.ids }, userKey: { in: [asked.userId, ''] } },
    select: { workloadId: true, level: true },
  })
  return rows.map((row) => ({ workloadId: row.workloadId, level: z.enum(SHARE_LEVELS).parse(row.level) }))
}

function best(levels: readonly ShareLevel[]): Relation {
  return [...levels].sort((a, b) => SHARE_LEVELS.indexOf(b) - SHARE_LEVELS.indexOf(a))[0] ?? 'other'
}
