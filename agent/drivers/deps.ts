import type { Clock } from '@/kit/clock'
import type { Log } from '@/kit/log'
import type { FolderRefused, ObservationCode } from '@/protocol/sync'

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

/** A start that cannot succeed here. Its code becomes the observation; the message and what helps go to logs alone. */
export class StartRefused extends Error {
  readonly code: ObservationCode
  /** The package or folder that is meant. */
  readonly subject: string | null
  /** Of a folder: why it is not shown, and to whom. */
  readonly folderRefused: FolderRefused | null
  /** What its owner can do about it: a command, or a sentence. */
  readonly help: string | null
  constructor(
    code: ObservationCode,
    message: string,
    about: { subject?: string | null; folderRefused?: FolderRefused; help?: string | null; cause?: unknown } = {},
  ) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause })
    this.name = 'StartRefused'
    this.code = code
    this.subject = about.subject ?? null
    this.folderRefused = about.folderRefused ?? null
    this.help = about.help ?? null
  }
}
