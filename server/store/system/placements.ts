import { z } from 'zod'
import type { Catalog } from '@/domain/catalog'
import { DRIVER_ROWS, type DriverRow } from '@/domain/drivers'
import { KIND_NAMES, type Kind } from '@/domain/kinds'
import type { Mount } from '@/domain/mounts'
import { type Placement, WANTS, type Want, type Workload, workloadSpec } from '@/domain/workloads'
import type { Tx } from '../db'
import type { Prisma } from '../generated/sqlite/client'
import { json } from '../json'
import { placementColumns, toPlacement } from '../rows'

export type NewPlacement = {
  id: string
  workload: Workload
  machineId: string
  driver: DriverRow
  placedClass: string | null
  devices: readonly string[]
  /** Epoch of the placement lease: fences later writes of an older holder. */
  epoch: number
  at: Date
}

/** Adds the row of a workload's next start. The transition in the same transaction makes the workload point at it. */
export async function createPlacement(tx: Tx, placement: NewPlacement): Promise<Placement> {
  const { workload } = placement
  const row = await tx.placement.create({
    data: {
      id: placement.id,
      tenantId: workload.tenantId,
      workloadId: workload.id,
      workloadGen: workload.workloadGen + 1,
      pool: 'machines',
      machineId: placement.machineId,
      driver: placement.driver,
      placedClass: placement.placedClass,
      devices: json(placement.devices),
      cpus: workload.spec.cpus,
      memoryBytes: BigInt(workload.spec.memoryBytes),
      diskBytes: BigInt(workload.spec.diskBytes),
      want: 'run',
      controllerEpoch: placement.epoch,
      createdAt: placement.at,
    },
    select: placementColumns,
  })
  return toPlacement(row)
}

/** Gives a placement's capacity back. Released already is success. */
export async function releasePlacement(tx: Tx, release: { placementId: string; why: string; at: Date }): Promise<void> {
  await tx.placement.updateMany({
    where: { id: release.placementId, releasedAt: null },
    data: { releasedAt: release.at, releasedWhy: release.why },
  })
}

/** Takes a released placement into use again. */
export async function takeBackPlacement(tx: Tx, placementId: string): Promise<void> {
  await tx.placement.updateMany({
    where: { id: placementId },
    data: { releasedAt: null, releasedWhy: null, want: 'run', ackedWant: null },
  })
}

/** An end is never taken back; freezing or going on is a person's own decision, which a controller may have read too early. */
const MAY_FOLLOW: Record<Want, readonly Want[]> = {
  run: ['run'],
  pause: ['pause'],
  park: ['run', 'pause', 'park'],
  destroy: ['run', 'pause', 'park', 'destroy'],
  remove: WANTS,
}

/**
 * Says what a machine shall do with an instance. Returns false, and changes nothing, when a later holder of the lease
 * wrote already, the instance is on its way out or a person asked otherwise (`askFreeze`). The same again is success.
 */
export async function setWant(db: Tx, asked: { placementId: string; want: Want; epoch: number }): Promise<boolean> {
  const { count } = await db.placement.updateMany({
    where: { id: asked.placementId, controllerEpoch: { lte: asked.epoch }, want: { in: [...MAY_FOLLOW[asked.want]] } },
    data: { want: asked.want, controllerEpoch: asked.epoch },
  })
  return count > 0
}

/** Tells the machine to end an instance, whoever holds the lease: a person's own decision. Its capacity is another matter. */
export async function orderEnd(tx: Tx, ended: { placementId: string; want: 'destroy' | 'remove' }): Promise<void> {
  await tx.placement.updateMany({
    where: { id: ended.placementId, want: { in: [...MAY_FOLLOW[ended.want]] } },
    data: { want: ended.want },
  })
}

/** Asks an instance to be frozen or to go on, whoever holds the lease: a person's own decision. False: it is being ended. */
export async function askFreeze(tx: Tx, asked: { placementId: string; want: 'run' | 'pause' }): Promise<boolean> {
  const { count } = await tx.placement.updateMany({
    where: { id: asked.placementId, releasedAt: null, want: { in: ['run', 'pause'] } },
    data: { want: asked.want },
  })
  return count > 0
}

/** Marks an instance in use as running in code that is too old. False: it is marked, or not in use. */
export async function markOutdated(tx: Tx, placementId: string): Promise<boolean> {
  const where = { id: placementId, releasedAt: null, needsRestart: false }
  return (await tx.placement.updateMany({ where, data: { needsRestart: true } })).count > 0
}

/** Takes that mark from instances whose machine says that they are fine. */
export async function markCurrent(db: Tx, placementIds: readonly string[]): Promise<void> {
  await db.placement.updateMany({ where: { id: { in: [...placementIds] }, needsRestart: true }, data: { needsRestart: false } })
}

export type Ack = {
  placementId: string
  want: Want
  /** The machine has finished: nothing of it runs there, or it is absent. A released row stays desired until then. */
  isDone: boolean
}

export type Acknowledged = {
  machineId: string
  acks: readonly Ack[]
  /** The boot of the machine that answered: a start belongs to it. */
  bootId?: string | undefined
  at: Date
}

/**
 * Notes what a machine acknowledged. An answer to an older wish counts for nothing. A released placement is
 * acknowledged only when the machine is done with it, because its row is all that tells the machine to end it.
 */
export async function ackWants(db: Tx, answer: Acknowledged): Promise<void> {
  const { bootId } = answer
  for (const want of WANTS) {
    const acks = answer.acks.filter((ack) => ack.want === want)
    if (acks.length === 0) continue
    const done = acks.filter((ack) => ack.isDone).map((ack) => ack.placementId)
    await db.placement.updateMany({
      where: {
        id: { in: acks.map((ack) => ack.placementId) },
        machineId: answer.machineId,
        want,
        AND: [{ OR: [{ ackedWant: null }, { ackedWant: { not: want } }] }, { OR: [{ releasedAt: null }, { id: { in: done } }] }],
      },
      data: { ackedWant: want, ackedAt: answer.at, ...(want === 'run' && bootId !== undefined ? { bootId } : {}) },
    })
  }
}

/** One instance as its machine shall have it; the shape of `desiredInstance` in the sync protocol, and what was acknowledged. */
export type DesiredPlacement = {
  workloadId: string
  placementId: string
  workloadGen: number
  tenantId: string
  ownerId: string
  kind: Kind
  runtime: string
  driver: DriverRow
  want: Want
  cpus: number
  memoryBytes: number
  diskBytes: number
  devices: string[]
  command: string[] | null
  server: string[]
  requirements: string[]
  mounts: Mount[]
  python: string | null
  mountRoots: string[]
  egress: { open: boolean; allow: string[] }
  needsWorkspace: boolean
  ackedWant: Want | null
}

const DESIRED_MAX = 2000

/** Everything that a machine shall have or end: placements in use, and released ones whose end it has not confirmed. */
export async function desiredOn(db: Tx, machineId: string, catalog: Catalog): Promise<DesiredPlacement[]> {
  const rows = await db.placement.findMany({
    where: {
      machineId,
      OR: [
        { releasedAt: null },
        { want: { in: ['remove', 'destroy'] }, ackedWant: null },
        { want: 'remove', ackedWant: { not: 'remove' } },
        { want: 'destroy', ackedWant: { not: 'destroy' } },
      ],
    },
    orderBy: { createdAt: 'asc' },
    take: DESIRED_MAX,
    select: desiredColumns,
  })
  return rows.map((row) => toDesired(row, machineId, catalog))
}

const desiredColumns = {
  ...placementColumns,
  machine: { select: { name: true, mountRoots: true } },
  tenantId: true,
  ackedWant: true,
  workload: {
    select: {
      ownerId: true,
      kind: true,
      spec: true,
      workspace: { select: { machineId: true, createdAt: true, removedAt: true } },
    },
  },
} as const satisfies Prisma.PlacementSelect
type DesiredRow = Prisma.PlacementGetPayload<{ select: typeof desiredColumns }>

function toDesired(row: DesiredRow, machineId: string, catalog: Catalog): DesiredPlacement {
  const placement = toPlacement(row)
  const spec = workloadSpec.parse(row.workload.spec)
  const runtime = catalog.runtimes.find((r) => r.id === spec.runtime)
  const { workspace } = row.workload
  return {
    workloadId: placement.workloadId,
    placementId: placement.id,
    workloadGen: placement.workloadGen,
    tenantId: row.tenantId,
    ownerId: row.workload.ownerId,
    kind: z.enum(KIND_NAMES).parse(row.workload.kind),
    runtime: spec.runtime,
    driver: z.enum(DRIVER_ROWS).parse(placement.driver),
    want: placement.want,
    cpus: placement.cpus,
    memoryBytes: placement.memoryBytes,
    diskBytes: placement.diskBytes,
    devices: [...placement.devices],
    command: spec.command,
    server: runtime ? [...runtime.server] : [],
    requirements: spec.requirements,
    mounts: spec.mounts,
    python: spec.python,
    mountRoots: z.array(z.string()).parse(row.machine?.mountRoots ?? []),
    egress: runtime ? { open: runtime.egress.open, allow: [...runtime.egress.allow] } : { open: false, allow: [] },
    // Older than this start: the start must find it. Newer: this start made it.
    needsWorkspace:
      workspace !== null &&
      workspace.removedAt === null &&
      workspace.machineId === machineId &&
      workspace.createdAt < placement.createdAt,
    ackedWant: z.enum(WANTS).nullable().parse(row.ackedWant),
  }
}
