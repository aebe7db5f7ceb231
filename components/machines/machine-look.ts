import { CircleAlert, CircleArrowDown, CircleCheck, CircleX, HardDrive, LoaderCircle, Unplug } from 'lucide-react'
import type { StateLook } from '@/components/frame/state-look'
import type { CellLook } from '@/components/ui/device-cell'
import { durationText } from '@/components/ui/duration'
import type { Device } from '@/domain/machines'
import type { MachineView } from '@/domain/views'

const FULL = 0.9

/** How a machine looks; `short` says the same where there is little room. */
export type MachineLook = StateLook & { short: string }

/** The one thing about a machine that somebody should know first. Pure. */
export function machineLook(machine: MachineView, nowMs: number): MachineLook {
  if (!machine.isConnected) return silentLook(machine, nowMs)
  if (!machine.inventory) return { word: 'Reading inventory', short: 'joining', icon: LoaderCircle, tone: 'wait', isMoving: true }
  if (machine.state === 'draining') return { word: 'Draining', short: 'draining', icon: CircleArrowDown, tone: 'ink-2' }
  if (machine.state === 'suspect') return { word: 'Suspect', short: 'suspect', icon: CircleAlert, tone: 'warn' }
  const wedged = machine.inventory.devices.filter((d) => d.state === 'wedged').length
  if (wedged > 0) {
    const word = wedged === 1 ? '1 GPU wedged' : `${wedged} GPUs wedged`
    return { word, short: `${wedged} wedged`, icon: CircleX, tone: 'bad' }
  }
  const disk = diskShare(machine)
  if (disk !== null && disk > FULL) {
    const percent = `${Math.floor(disk * 100)} %`
    return { word: `Disk ${percent} full`, short: `disk ${percent}`, icon: HardDrive, tone: 'warn' }
  }
  return { word: 'Online', short: 'online', icon: CircleCheck, tone: 'good' }
}

function silentLook(machine: MachineView, nowMs: number): MachineLook {
  if (machine.lastContactAt === null)
    return { word: 'Joining', short: 'joining', icon: LoaderCircle, tone: 'wait', isMoving: true }
  const age = durationText(nowMs - machine.lastContactAt.getTime())
  return { word: `Silent for ${age}`, short: `silent ${age}`, icon: Unplug, tone: 'warn' }
}

/** The same word while Berth itself cannot be asked: `online` is from before. Pure. */
export function wasWord(word: string): string {
  const was = word.charAt(0) === word.charAt(0).toUpperCase() ? 'Was' : 'was'
  return `${was} ${word.toLowerCase()}`
}

/** Share of the disk that is taken, 0 to 1; null while unknown. Pure. */
export function diskShare(machine: MachineView): number | null {
  const { inventory, use } = machine
  if (!inventory || inventory.diskBytes === 0) return null
  return 1 - (use?.diskFreeBytes ?? inventory.diskFreeBytes) / inventory.diskBytes
}

/** Share of the memory in use as measured, 0 to 1; null while unknown. Pure. */
export function memoryShare(machine: MachineView): number | null {
  const { inventory, use } = machine
  return inventory && use ? use.memoryBytes / inventory.memoryBytes : null
}

/** How one GPU looks, and its label; `holder` is the workload that has it, where known. Pure. */
export function deviceLook(
  machine: MachineView,
  device: Device,
  holder?: string,
): { look: CellLook; use: number; label: string } {
  const look = cellLook(machine, device)
  const percent = `${Math.round(device.use * 100)} % used`
  const text: Record<CellLook, string> = {
    free: 'free',
    busy: holder ? `${holder}, ${percent}` : `busy, ${percent}`,
    foreign: 'in use by something Berth does not know',
    wedged: 'wedged: it needs a person',
    silent: 'machine silent, kept reserved',
    off: 'not offered: draining',
  }
  return { look, use: device.use, label: `${device.name}: ${text[look]}` }
}

function cellLook(machine: MachineView, device: Device): CellLook {
  if (device.state === 'wedged') return 'wedged'
  const isHeld = machine.used.devices.includes(device.uuid)
  if (!machine.isConnected) return 'silent'
  if (isHeld) return 'busy'
  if (device.state === 'foreign') return 'foreign'
  if (machine.state !== 'active') return 'off'
  return 'free'
}

/** May this person change a machine: its owner, or an operator? The server decides; this says beforehand what it will say. Pure. */
export function canChange({ ownerId }: Pick<MachineView, 'ownerId'>, person: { id: string; isOperator: boolean }): boolean {
  return person.isOperator || person.id === ownerId
}

/** GPUs that a new workload could get here now. Pure. */
export function freeDevices(machine: MachineView): number {
  return (machine.inventory?.devices ?? []).filter((d) => cellLook(machine, d) === 'free').length
}

/** What GPUs it has, by class: `4 × l40s-48gb`, `CPU only`. Pure. */
export function devicesText(machine: MachineView): string {
  const counts = new Map<string, number>()
  for (const d of machine.inventory?.devices ?? []) {
    const name = d.class ?? d.name
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  if (counts.size === 0) return machine.inventory ? 'CPU only' : ''
  return [...counts].map(([name, n]) => (n > 1 ? `${n} × ${name}` : name)).join(', ')
}
