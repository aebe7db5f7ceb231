import { z } from 'zod'
import { WANTS, type Want } from '@/domain/workloads'
import type { Tx } from '../db'

/** What a machine was asked to do with an instance, and what of it it acknowledged. */
export type Asked = {
  placementId: string
  workloadGen: number
  machine: { id: string; name: string; region: string } | null
  want: Want
  ackedWant: Want | null
  ackedAt: Date | null
  isReleased: boolean
  epoch: number
}

const CHUNK = 1000

/** What was asked of these instances; unknown ones are left out. */
export async function askedOf(db: Tx, placementIds: readonly string[]): Promise<Map<string, Asked>> {
  const asked = new Map<string, Asked>()
  for (let at = 0; at < placementIds.length; at += CHUNK) {
    const rows = await db.placement.findMany({
      where: { id: { in: placementIds.slice(at, at + CHUNK) } },
      select: {
        id: true,
        workloadGen: true,
        want: true,
        ackedWant: true,
        ackedAt: true,
        releasedAt: true,
        controllerEpoch: true,
        machine: { select: { id: true, name: true, region: true } },
      },
    })
    for (const { id, controllerEpoch, releasedAt, ...row } of rows)
      asked.set(id, {
        ...row,
        placementId: id,
        want: z.enum(WANTS).parse(row.want),
        ackedWant: z.enum(WANTS).nullable().parse(row.ackedWant),
        isReleased: releasedAt !== null,
        epoch: controllerEpoch,
      })
  }
  return asked
}

/** Machines that some controller has a connection to. */
export async function connectedMachineIds(db: Tx): Promise<string[]> {
  const rows = await db.machineContact.findMany({ where: { controllerId: { not: null } }, select: { machineId: true } })
  return rows.map((row) => row.machineId)
}

/** Keeps the exit code of an instance's main process; its state does not change. False: the placement is not in use any more. */
export async function saveExitCode(
  tx: Tx,
  seen: { workloadId: string; placementId: string; exitCode: number },
): Promise<boolean> {
  const { count } = await tx.workload.updateMany({
    where: { id: seen.workloadId, placementId: seen.placementId },
    data: { exitCode: seen.exitCode },
  })
  return count > 0
}
