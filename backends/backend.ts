import type { Duplex, Readable } from 'node:stream'
import type { Instance } from '@/domain/ids'
import type { Placement, Progress, Want, Workload } from '@/domain/workloads'
import type { NotebooksAsk } from '@/protocol/notebooks'
import type { Door } from '@/protocol/paths'
import type { ReadAsk, ReadInfo, SearchAnswer, SearchAsk } from '@/protocol/read'
import type { FolderRefused, ObservationCode } from '@/protocol/sync'

/** A workload with the placement that says where and at which generation. */
export type PlacedWorkload = Workload & { placement: Placement }

/** Resolved when a start is dispatched; lives in memory only, never stored, logged or put in an event. */
export type LaunchMaterial = { environment: Readonly<Record<string, string>> }

/** What is known of one instance now. `unknown`: its machine cannot be asked; that is never proof of anything. */
export type Observation = Instance & {
  status: 'unknown' | 'absent' | 'starting' | 'running' | 'paused' | 'stopping' | 'stopped' | 'removed' | 'failed'
  code: ObservationCode
  subject: string | null
  /** Beside `mount_refused`, from machines that say it. */
  folderRefused?: FolderRefused | undefined
  progress: Progress | null
  exitCode: number | null
  hasWorkspace: boolean
  /** Boot of the machine when it said so; a new one explains an absence. Null while unknown. */
  bootId: string | null
  /** It failed and is proven to have no process any more. */
  isGone?: boolean
  /** What was last asked of this instance, once its machine acknowledged it; null while it did not. */
  acked: Want | null
}

/** Something that a machine has, wanted or not. */
export type Listed = Instance & { status: Observation['status'] }

/**
 * Where workloads run. Every verb is idempotent and names the instance it means. For machines a verb sets the desired
 * row and resolves when the machine acknowledged it; it rejects with AppError `unreachable` when the machine is away (what
 * was asked stays asked), with `conflict` for a start that a newer one replaced, and with the signal's reason when aborted.
 */
export interface WorkloadBackend {
  /** Starts the instance. Resolving means accepted; it says nothing about readiness. */
  start(w: PlacedWorkload, launch: LaunchMaterial, signal: AbortSignal): Promise<void>
  /** Freezes it in memory, or lets it go on, as a person asked; `conflict` once they ask for the other. Resolving means accepted. */
  pause(i: Instance, signal: AbortSignal): Promise<void>
  resume(i: Instance, signal: AbortSignal): Promise<void>
  /** Ends its processes and keeps the workspace. Resolving means accepted; `stopped` is observed when nothing runs. */
  park(i: Instance, signal: AbortSignal): Promise<void>
  /** Makes it absent, workspace included. Absent already is success; `removed` or `absent` is observed at the end. */
  remove(i: Instance, signal: AbortSignal): Promise<void>
  /** Ends every process at once and keeps the workspace: the force path, and the end of a stray copy. Absent already is success. */
  destroy(i: Instance, signal: AbortSignal): Promise<void>
  /** One row per asked instance, in the order asked, fixed codes, never foreign text. Never waits for a machine longer than a second. */
  observe(instances: readonly Instance[], signal: AbortSignal): Promise<Observation[]>
  /** Every instance that may run on a machine which can be asked, wanted or not; what is stopped or removed is left out. */
  listed(signal: AbortSignal): Promise<Listed[]>
  /** A byte stream to one door of a running instance. Errors: `unreachable`, `not_found` (no such instance or door). */
  connect(i: Instance, door: Door, signal: AbortSignal): Promise<Duplex>
  /**
   * What a machine keeps of a workload, parked ones too: record, output, build log. The signal cancels the stream as
   * well. A cut stream ends in an error. Errors: `unreachable`, `not_found` (nothing is kept), `unavailable`.
   */
  read(machineId: string, ask: ReadAsk, signal: AbortSignal): Promise<{ info: ReadInfo; stream: Readable }>
  /** Lines that match in what a machine keeps, newest first. Errors: as read. */
  search(machineId: string, ask: SearchAsk, signal: AbortSignal): Promise<SearchAnswer>
  /** The list of a workspace's saved notebooks, or the bytes of one, parked or not. Errors: as read, and `over_limit` (too large). */
  notebooks(machineId: string, ask: NotebooksAsk, signal: AbortSignal): Promise<Readable>
}
