import { LIMITS } from '@/domain/limits'
import type { InstanceUse } from '@/domain/machines'
import { type Db, inTx } from '../db'
import { json } from '../json'

const CHUNK = 500

export type WorkloadSample = { workloadId: string; at: Date; use: InstanceUse }

/** The slot of a moment in a workload's ring. */
export function workloadSlot(at: Date): number {
  return Math.floor(at.getTime() / 1000 / LIMITS.sampleSeconds) % LIMITS.sampleSlots
}

/** Puts samples into the rings of their workloads, over those of half an hour ago. No change signal. One a workload. */
export async function addWorkloadSamples(db: Db, samples: readonly WorkloadSample[]): Promise<void> {
  for (let from = 0; from < samples.length; from += CHUNK) {
    const rows = samples.slice(from, from + CHUNK).map(({ workloadId, at, use }) => {
      return { workloadId, slot: workloadSlot(at), at, body: json(use) }
    })
    const slots = rows.map(({ workloadId, slot }) => ({ workloadId, slot }))
    await inTx(db, async (tx) => {
      await tx.workloadSample.deleteMany({ where: { OR: slots } })
      await tx.workloadSample.createMany({ data: rows })
    })
  }
}

/** Keeps when something last happened inside of these workloads; an older moment changes nothing. No change signal. */
export async function saveActivity(db: Db, seen: readonly { workloadId: string; lastBusyAt: Date }[]): Promise<void> {
  const byMoment = new Map<number, string[]>()
  for (const { workloadId, lastBusyAt } of seen) {
    const moment = lastBusyAt.getTime()
    byMoment.set(moment, [...(byMoment.get(moment) ?? []), workloadId])
  }
  for (const [moment, ids] of byMoment) {
    const lastBusyAt = new Date(moment)
    for (let from = 0; from < ids.length; from += CHUNK)
      await db.workload.updateMany({
        where: { id: { in: ids.slice(from, from + CHUNK) }, OR: [{ lastBusyAt: null }, { lastBusyAt: { lt: lastBusyAt } }] },
        data: { lastBusyAt },
      })
  }
}
