import { z } from 'zod'
import type { CapacityUse } from '@/domain/placement'
import type { Tx } from './db'

const words = z.array(z.string())

/** What of an orphan takes room; one that its machine cannot describe takes what nobody knows. */
const orphanRoom = z.object({ cpus: z.int(), memoryBytes: z.int(), diskBytes: z.int(), devices: words })

/**
 * Capacity in use per machine: the sum over placements that are not released, whatever their workload's state says, and
 * over what runs there and the store does not know.
 */
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
  await addOrphans(tx, uses)
  return uses
}

type Uses = Map<string, ReturnType<typeof noUse>>

async function addOrphans(tx: Tx, uses: Uses): Promise<void> {
  const rows = await tx.orphan.findMany({
    where: { machineId: { in: [...uses.keys()] } },
    select: { machineId: true, spec: true },
  })
  for (const row of rows) {
    const use = uses.get(row.machineId)
    const room = orphanRoom.safeParse(row.spec).data
    if (!use || !room) continue
    use.cpus += room.cpus
    use.memoryBytes += room.memoryBytes
    use.diskBytes += room.diskBytes
    use.devices.push(...room.devices)
  }
}

function noUse(machineId: string): CapacityUse & { devices: string[] } {
  return { machineId, cpus: 0, memoryBytes: 0, diskBytes: 0, devices: [] }
}
