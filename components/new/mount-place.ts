import { hostPath } from '@/domain/mounts'
import { isWithin } from '@/domain/paths'
import type { MachineView } from '@/domain/views'

/** Where folders of this form would come from, and below which ones; `problem`: why none can be mounted now. */
export type MountPlace = { machine: MachineView | null; roots: readonly string[]; problem: string | null; canAllow: boolean }

type Owned = { machines: readonly MachineView[]; machineId: string | null; personId: string | undefined }

/** Folders come from a machine that the person owns: the chosen one, or the first that allows any. Pure. */
export function mountPlace({ machines, machineId, personId }: Owned): MountPlace {
  const asked = machineId === null ? machines : machines.filter((m) => m.id === machineId)
  const own = asked.filter((m) => m.ownerId === personId)
  const machine = own.find((m) => m.mountRoots.length > 0) ?? own[0] ?? null
  if (!machine) {
    const [chosen] = machineId === null ? [] : asked
    const problem = chosen
      ? `${chosen.name} is not yours: folders come from a machine that you own`
      : 'Folders come from a machine that you own; you own none here'
    return { machine: null, roots: [], problem, canAllow: false }
  }
  if (machine.mountRoots.length > 0) return { machine, roots: machine.mountRoots, problem: null, canAllow: false }
  return { machine, roots: [], problem: `No folder of ${machine.name} is allowed yet`, canAllow: true }
}

/** What is wrong with a folder as typed, before the server is asked; null while it is empty. Pure. */
export function folderProblem(path: string, { machine, roots }: MountPlace): string | null {
  const typed = path.trim()
  if (typed === '') return null
  const checked = hostPath.safeParse(typed)
  if (!checked.success) return checked.error.issues[0]?.message ?? 'not a path'
  if (roots.length === 0 || roots.some((root) => isWithin(checked.data, root))) return null
  return `not below an allowed folder of ${machine?.name ?? 'the machine'}: ${roots.join(', ')}`
}
