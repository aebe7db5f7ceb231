import { z } from 'zod'
import type { Instance } from '@/domain/ids'
import { LIMITS } from '@/domain/limits'
import { ORPHAN_DECISIONS, type OrphanDecision, type OrphanSpec, orphanSpec } from '@/domain/orphans'
import { type Db, inTx, type Tx } from '../db'
import type { Prisma } from '../generated/sqlite/client'
import { jsonOrNull } from '../json'

/** Something that runs on a machine and that the store does not know at that generation. */
export type SeenOrphan = { instance: Instance; spec: OrphanSpec | null; status: string }
export type Orphan = SeenOrphan & { machineId: string; decision: OrphanDecision | null; firstSeenAt: Date; lastSeenAt: Date }

/**
 * Keeps what a machine has and the store does not know; those that it has no more are forgotten, with what was decided
 * about them. One that another machine told of first stays that machine's. No change signal.
 */
export async function saveOrphans(
  db: Db,
  { machineId, at }: { machineId: string; at: Date },
  seen: readonly SeenOrphan[],
): Promise<void> {
  const kept = seen.slice(0, LIMITS.orphansMax)
  const ids = kept.map((one) => one.instance.placementId)
  const known = await db.orphan.findMany({
    where: { OR: [{ machineId }, { placementId: { in: ids } }] },
    select: { placementId: true, machineId: true },
  })
  if (kept.length === 0 && known.length === 0) return
  const owners = new Map(known.map((row) => [row.placementId, row.machineId]))
  await inTx(db, async (tx) => {
    await tx.orphan.deleteMany({ where: { machineId, placementId: { notIn: ids } } })
    // Somebody adopted it since the machine told of it: it is the store's own now.
    const adopted = await tx.placement.findMany({ where: { id: { in: ids } }, select: { id: true } })
    for (const one of kept) {
      if (adopted.some(({ id }) => id === one.instance.placementId)) continue
      const owner = owners.get(one.instance.placementId)
      if (owner === undefined) await tx.orphan.create({ data: { ...rowOf(one, at), machineId, firstSeenAt: at } })
      else if (owner === machineId)
        await tx.orphan.updateMany({ where: { placementId: one.instance.placementId, machineId }, data: rowOf(one, at) })
    }
  })
}

/** What people decided about a machine's orphans; those that still wait for a person are left out. */
export async function orphanDecisions(db: Tx, machineId: string): Promise<(Orphan & { decision: OrphanDecision })[]> {
  const all = await orphansOn(db, [machineId])
  return all.flatMap((orphan) => (orphan.decision === null ? [] : [{ ...orphan, decision: orphan.decision }]))
}

/** Every orphan of these machines, the oldest first. */
export async function orphansOn(db: Tx, machineIds: readonly string[]): Promise<Orphan[]> {
  const rows = await db.orphan.findMany({
    where: { machineId: { in: [...machineIds] } },
    orderBy: [{ firstSeenAt: 'asc' }, { placementId: 'asc' }],
    select: columns,
  })
  return rows.map(toOrphan)
}

/** One orphan of a machine, or null. */
export async function findOrphan(db: Tx, of: { machineId: string; placementId: string }): Promise<Orphan | null> {
  const row = await db.orphan.findFirst({ where: of, select: columns })
  return row && toOrphan(row)
}

/** Writes what a person decided; false: it is not there any more. */
export async function decideOrphan(
  db: Tx,
  decided: { machineId: string; placementId: string; decision: OrphanDecision },
): Promise<boolean> {
  const { machineId, placementId, decision } = decided
  return (await db.orphan.updateMany({ where: { machineId, placementId }, data: { decision } })).count > 0
}

/** Takes an orphan out of the list: it is the store's now. A guarded write: false when somebody did before. */
export async function takeOrphan(tx: Tx, of: { machineId: string; placementId: string }): Promise<boolean> {
  return (await tx.orphan.deleteMany({ where: of })).count > 0
}

/** Forgets what runs on a machine and the store does not know; a machine that has it tells of it again. */
export async function forgetOrphans(tx: Tx, machineId: string): Promise<void> {
  await tx.orphan.deleteMany({ where: { machineId } })
}

const columns = {
  placementId: true,
  machineId: true,
  workloadId: true,
  workloadGen: true,
  spec: true,
  status: true,
  decision: true,
  firstSeenAt: true,
  lastSeenAt: true,
} as const satisfies Prisma.OrphanSelect
type OrphanRow = Prisma.OrphanGetPayload<{ select: typeof columns }>

function toOrphan(row: OrphanRow): Orphan {
  const { placementId, workloadId, workloadGen, ...rest } = row
  return {
    ...rest,
    instance: { workloadId, placementId, workloadGen },
    spec: row.spec === null ? null : orphanSpec.parse(row.spec),
    decision: z.enum(ORPHAN_DECISIONS).nullable().parse(row.decision),
  }
}

/** Columns that each look writes: not when it was first seen, and not what was decided. What nobody could adopt is no spec. */
function rowOf({ instance, spec, status }: SeenOrphan, at: Date) {
  return { ...instance, spec: jsonOrNull(orphanSpec.safeParse(spec).data ?? null), status, lastSeenAt: at }
}
