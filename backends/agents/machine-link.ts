import type { IncomingHttpHeaders } from 'node:http2'
import type { Duplex, Readable } from 'node:stream'
import type { Door } from '@/protocol/paths'
import type { SyncAnswer } from '@/protocol/sync'

/** What the hub knows of a machine: the last answer of its present connection. */
export type MachineObservations = { answer: SyncAnswer; at: Date }

/** A question to a machine that is answered by a stream of bytes. */
export type MachineCall = {
  path: '/v1/read' | '/v1/search' | '/v1/notebooks'
  body: unknown
  /** More bytes of the answer than this end it in an error. */
  bytesMax: number
  /** Longest time without a byte while somebody reads; null: as long as the connection lives. */
  quietMs: number | null
}
export type MachineAnswer = { status: number; headers: IncomingHttpHeaders; body: Readable }

/** The live connections of machines, as the adapter sees them; the hub implements it. */
export interface MachineLink {
  /** Sends the desired state as the store has it now; resolves once the machine answered and its answer is stored. Rejects with `unreachable` when it is away. */
  sync(machineId: string, signal: AbortSignal): Promise<void>
  /** Null when this connection has not answered yet, or there is none. */
  observations(machineId: string): MachineObservations | null
  /** A byte stream to one door through the machine's connection. Errors: `unreachable`, `not_found`. */
  connect(machineId: string, placementId: string, door: Door, signal: AbortSignal): Promise<Duplex>
  /** Asks the agent itself. Resolves with the head of its answer; the signal cancels the body too. Errors: `unreachable`, `over_limit`. */
  call(machineId: string, call: MachineCall, signal: AbortSignal): Promise<MachineAnswer>
  isConnected(machineId: string): boolean
}
