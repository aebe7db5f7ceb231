import type { Duplex } from 'node:stream'
import type { Door } from '@/protocol/paths'
import type { SyncAnswer } from '@/protocol/sync'

/** What the hub knows of a machine: the last answer of its present connection. */
export type MachineObservations = { answer: SyncAnswer; at: Date }

/** The live connections of machines, as the adapter sees them; the hub implements it. */
export interface MachineLink {
  /** Sends the desired state as the store has it now; resolves once the machine answered and its answer is stored. Rejects with `unreachable` when it is away. */
  sync(machineId: string, signal: AbortSignal): Promise<void>
  /** Null when this connection has not answered yet, or there is none. */
  observations(machineId: string): MachineObservations | null
  /** A byte stream to one door through the machine's connection. Errors: `unreachable`, `not_found`. */
  connect(machineId: string, placementId: string, door: Door, signal: AbortSignal): Promise<Duplex>
  isConnected(machineId: string): boolean
}
