import { LIMITS } from '@/domain/limits'
import { type InstanceUse, instanceUse, type MachineUse, machineUse } from '@/domain/machines'
import type { Tx } from './db'
import { workloadSlot } from './system/activity'

/** A slot is 5 s; the ring holds an hour of each machine. */
export const SAMPLE_SECONDS = 5
export const SAMPLE_RING = 720
/** A sample older than this is not the machine's use "now". */
const FRESH_SECONDS = 60

export type Sample = MachineUse & { at: Date }

/** The slot of a moment in the ring. */
export function sampleSlot(at: Date): number {
  return Math.floor(at.getTime() / 1000 / SAMPLE_SECONDS) % SAMPLE_RING
}

/** The newest sample of each machine within the last minute. Ids come from machines that the caller read. */
export async function latestSamples(tx: Tx, machineIds: readonly string[], now: Date): Promise<Map<string, Sample>> {
  const slots = Array.from({ length: FRESH_SECONDS / SAMPLE_SECONDS + 1 }, (_, back) =>
    sampleSlot(new Date(now.getTime() - back * SAMPLE_SECONDS * 1000)),
  )
  const rows = await tx.sample.findMany({
    where: {
      machineId: { in: [...machineIds] },
      slot: { in: slots },
      at: { gt: new Date(now.getTime() - FRESH_SECONDS * 1000) },
    },
    orderBy: { at: 'asc' },
    select: { machineId: true, at: true, body: true },
  })
  return new Map(rows.map((row) => [row.machineId, { ...machineUse.parse(row.body), at: row.at }]))
}

/** The newest sample of each of these workloads within the last minute; one that has none is left out. */
export async function latestWorkloadSamples(
  tx: Tx,
  tenantId: string,
  query: { workloadIds: readonly string[]; now: Date },
): Promise<{ workloadId: string; at: Date; use: InstanceUse }[]> {
  const since = query.now.getTime() - FRESH_SECONDS * 1000
  const moments = Array.from(
    { length: FRESH_SECONDS / LIMITS.sampleSeconds + 1 },
    (_, n) => since + n * LIMITS.sampleSeconds * 1000,
  )
  const rows = await tx.workloadSample.findMany({
    where: {
      workloadId: { in: [...query.workloadIds] },
      workload: { tenantId },
      slot: { in: moments.map((ms) => workloadSlot(new Date(ms))) },
      at: { gt: new Date(since) },
    },
    orderBy: { at: 'asc' },
    select: { workloadId: true, at: true, body: true },
  })
  const newest = new Map(rows.map((row) => [row.workloadId, row]))
  return [...newest.values()].map(({ workloadId, at, body }) => ({ workloadId, at, use: instanceUse.parse(body) }))
}

/** The samples of one workload after a moment, the oldest first. */
export async function workloadSamples(
  tx: Tx,
  tenantId: string,
  query: { workloadId: string; since: Date },
): Promise<{ at: Date; use: InstanceUse }[]> {
  const rows = await tx.workloadSample.findMany({
    where: { workloadId: query.workloadId, workload: { tenantId }, at: { gt: query.since } },
    orderBy: { at: 'asc' },
    take: LIMITS.sampleSlots,
    select: { at: true, body: true },
  })
  return rows.map((row) => ({ at: row.at, use: instanceUse.parse(row.body) }))
}
