import { z } from 'zod'
import type { CapacityUse } from '@/domain/placement'
import type { Tx } from './db'

const words = z.array(z.string())

/** Capacity in use per machine: the sum over placements that are not released, whatever their workload's state says. */
export async function capacityUse(tx: Tx, machineIds: readonly string[]): Promise<Map<string, CapacityUse>> {
  const rows = await tx.placement.findMany({
    where: { machineId: { in: [...machineIds] }, releasedAt: null },
    select: { machineId: true, cpus: true, memoryBytes: true, diskBytes: true, devices: true },
  })
  const uses = new Map(machineIds.map((id) => [id, noUse(id)]))
  for (const row of rows) {
    const use = uses.get(row.machineId ?? '')
    if (!use) continue
    use.cpus += row.cpus
    use.memoryBytes += Number(row.memoryBytes)
    use.diskBytes += Number(row.diskBytes)
    use.devices.push(...words.parse(row.devices))
  }
  return uses
}

function noUse(machineId: string): CapacityUse & { devices: string[] } {
  return { machineId, cpus: 0, memoryBytes: 0, diskBytes: 0, devices: [] }
}
