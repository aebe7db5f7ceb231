import type { Kind } from './kinds'
import type { Machine } from './machines'
import type { OrphanDecision } from './orphans'
import type { Action } from './permissions'
import type { Workload } from './workloads'

/** A workload as one person sees it: what they may do, and whether its machine can be reached. */
export type WorkloadView = Workload & {
  may: readonly Action[]
  isOwn: boolean
  /** Null when no machine is involved. */
  reach: { machineId: string; machineName: string; isConnected: boolean; lastContactAt: Date | null } | null
}

/** A machine with what is taken on it, and its last sample (null: none yet). */
export type MachineView = Machine & {
  /** Null: nobody of this tenant. */
  ownerName: string | null
  used: { cpus: number; memoryBytes: number; diskBytes: number; devices: readonly string[] }
  use: { cpu: number; memoryBytes: number; diskFreeBytes: number; at: Date } | null
  /** What runs there and the store does not know: shown to its owner and to operators, who adopt or stop it. */
  orphans: readonly OrphanView[]
}

/** `kind` and `name` are null where nobody knows them. */
export type OrphanView = {
  placementId: string
  workloadId: string
  workloadGen: number
  kind: Kind | null
  name: string | null
  status: string
  firstSeenAt: Date
  decision: OrphanDecision | null
}
