import type { Duplex } from 'node:stream'
import type { DriverRow } from '@/domain/drivers'
import type { Instance } from '@/domain/ids'
import type { Door } from '@/protocol/paths'
import type { DesiredInstance, ObservedInstance } from '@/protocol/sync'

/** An instance as a driver finds it on this machine, also after a restart of the agent. */
export type LocalInstance = ObservedInstance

/** How one kind of isolation runs instances. Every verb is idempotent; all drivers pass `agent/testing/conformance.ts`. */
export interface Driver {
  /** Rows of `domain/drivers.ts` that this driver serves. */
  readonly rows: readonly DriverRow[]
  /** Makes the instance exist. Resolves once it is recorded and under way; readiness is observed. A second start of the same placement changes nothing. */
  start(spec: DesiredInstance, signal: AbortSignal): Promise<void>
  /** Freezes every process of it. Rejects where the machine has no freezer. */
  pause(i: Instance, signal: AbortSignal): Promise<void>
  resume(i: Instance, signal: AbortSignal): Promise<void>
  /** Ends every process, proven gone, grace first. `park` keeps the workspace, `remove` keeps nothing, `destroy` ends a stray copy and keeps the workspace. Absent is success. */
  stop(i: Instance, how: 'park' | 'remove' | 'destroy', signal: AbortSignal): Promise<void>
  /** Forgets a stopped or removed instance; the workspace stays as it is. */
  forget(i: Instance): Promise<void>
  /** Everything that this driver has here, running or not; complete, or it rejects. */
  observe(signal: AbortSignal): Promise<LocalInstance[]>
  /** A byte stream to a door. Rejects when the instance or door is not there. */
  connect(i: Instance, door: Door, signal: AbortSignal): Promise<Duplex>
  /** Calls back when an observation changed; returns the unsubscribe function. */
  onChange(listener: () => void): () => void
}
