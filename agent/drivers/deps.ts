import type { Clock } from '@/kit/clock'
import type { Log } from '@/kit/log'
import type { ObservationCode } from '@/protocol/sync'

/** What every driver is built from. */
export type DriverDeps = {
  /** `BERTH_HOME`: instances, workspaces and environments lie here. */
  dataDir: string
  /** Short folder of sockets. */
  runtimeDir: string
  /** Folder of the built files; detached processes run from a copy of them. */
  codeDir: string
  /** Boot of this machine; what ran before another one is gone. */
  bootId: string
  log: Log
  clock: Clock
}

/** A start that cannot succeed here. Its code becomes the observation; the message goes to the log alone. */
export class StartRefused extends Error {
  readonly code: ObservationCode
  constructor(code: ObservationCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'StartRefused'
    this.code = code
  }
}
