import type { Machine } from '@/domain/machines'
import type { Candidate } from '@/domain/placement'
import { capacityUse } from './capacity'
import type { Tx } from './db'
import { json } from './json'
import { machineColumns, toMachine } from './rows'

const MACHINES_MAX = 1000

/** The tenant's machines by name. */
export async function listMachines(tx: Tx, tenantId: string): Promise<Machine[]> {
  const rows = await tx.machine.findMany({
    where: { tenantId },
    orderBy: [{ name: 'asc' }],
    take: MACHINES_MAX,
    select: machineColumns,
  })
  return rows.map(toMachine)
}

/** Some of the tenant's own machines by id. */
export async function findMachines(tx: Tx, tenantId: string, ids: readonly string[]): Promise<Machine[]> {
  const rows = await tx.machine.findMany({
    where: { tenantId, id: { in: [...ids] } },
    take: MACHINES_MAX,
    select: machineColumns,
  })
  return rows.map(toMachine)
}

/** Keeps the folders of a machine below which workloads of its owner may be shown some; false: no such machine here. */
export async function saveMountRoots(
  tx: Tx,
  tenantId: string,
  saved: { id: string; roots: readonly string[] },
): Promise<boolean> {
  const { count } = await tx.machine.updateMany({
    where: { id: saved.id, tenantId },
    data: { mountRoots: json(saved.roots) },
  })
  return count > 0
}

/** The machines that the tenant may know of (its own, and those shared with everyone), with what is taken on them. */
export async function candidates(tx: Tx, tenantId: string): Promise<Candidate[]> {
  const rows = await tx.machine.findMany({
    where: { OR: [{ tenantId }, { sharing: 'everyone' }] },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: MACHINES_MAX,
    select: machineColumns,
  })
  return withUse(tx, rows.map(toMachine))
}

/** Machines with the sum of their placements that are not released. */
export async function withUse(tx: Tx, machines: readonly Machine[]): Promise<Candidate[]> {
  const uses = await capacityUse(
    tx,
    machines.map((machine) => machine.id),
  )
  return machines.flatMap((machine) => {
    const use = uses.get(machine.id)
    return use ? [{ machine, use }] : []
  })
}
