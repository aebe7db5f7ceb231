import type { MachineView } from '@/domain/views'
import { machineOf } from './candidates'

/** A machine as a page shows it: connected, empty, its id is its name; nothing was measured yet. */
export function machineViewOf(name: string, patch: Partial<MachineView> = {}): MachineView {
  const used = { cpus: 0, memoryBytes: 0, diskBytes: 0, devices: [] }
  return { ...machineOf(name), ownerName: 'Mara', used, use: null, orphans: [], ...patch }
}
