import type { Catalog } from '@/domain/catalog'
import type { Clock } from '@/kit/clock'
import type { Log } from '@/kit/log'
import type { Ctx } from '@/server/service/ctx'

/** What the web process has once it is up: made by its wiring, used by every request. */
export type Runtime = {
  db: Ctx['db']
  /** The dashboard's port; its addresses follow from it. */
  port: number
  /** Encrypts the session cookie; from a 0600 file of the data directory. */
  authSecret: string
  catalog: Catalog
  /** The change counter: its value, and each new value until the signal aborts. */
  changes: { read(): Promise<number>; watch(signal: AbortSignal): AsyncGenerator<number> }
  clock: Clock
  log: Log
  version: string
}

const holder = globalThis as { berthRuntime?: Runtime }

/** Called once by the wiring, before the first request is answered. */
export function initRuntime(runtime: Runtime): void {
  holder.berthRuntime = runtime
}

/** The runtime of this process. It lives on globalThis, because Next bundles this module more than once. */
export function runtime(): Runtime {
  if (!holder.berthRuntime) throw new Error('initRuntime() has not run')
  return holder.berthRuntime
}
