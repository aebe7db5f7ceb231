import type { Log } from '@/kit/log'
import { pause } from '@/kit/loop'
import type { Db } from '@/server/store/db'
import { forgetConnection, type HeardConnection, heardConnections, machinesByIds } from '@/server/store/system/machines'
import type { RegisteredLink } from './registered-link'

type SweepDeps = { db: Db; log: Log; everyMs: number; silentMs: number }

/**
 * Machines of a controller that was killed are not connected any more; nobody else says so. What is silent is told by a
 * clock that nobody sets: a connection on which nothing was heard while this process watched it.
 */
export async function sweepSilent(deps: SweepDeps, links: () => Iterable<RegisteredLink>, signal: AbortSignal): Promise<void> {
  const watch = new SilenceWatch(deps.silentMs)
  while (!signal.aborted) {
    await sweepOnce(deps, watch, [...links()]).catch((error: unknown) => deps.log.warn('silent connections not swept', { error }))
    await pause(deps.everyMs, signal)
  }
}

async function sweepOnce({ db, log }: SweepDeps, watch: SilenceWatch, links: readonly RegisteredLink[]): Promise<void> {
  for (const silent of watch.look(await heardConnections(db))) await forgetConnection(db, silent)
  const open = new Map(links.filter((link) => link.isOpen).map((link) => [link.machine.id, link]))
  for (const machine of await machinesByIds(db, [...open.keys()])) {
    if (machine.isConnected) continue
    // Taken for silent while it is here, by a process that slept: its next connection is registered anew.
    log.warn('a connected machine was taken for silent; it connects again', { machineId: machine.id })
    open.get(machine.id)?.close()
  }
}

type Watched = { key: string; sinceMs: number }

/** Since when each connection has been silent, by the monotonic clock. */
class SilenceWatch {
  readonly #silentMs: number
  #watched = new Map<string, Watched>()
  #lookedMs = performance.now()

  constructor(silentMs: number) {
    this.#silentMs = silentMs
  }

  /** Those on which nothing was heard for too long. While this process slept it could not hear: that counts for nothing. */
  look(connections: readonly HeardConnection[]): HeardConnection[] {
    const now = performance.now()
    const isRested = now - this.#lookedMs > this.#silentMs
    this.#lookedMs = now
    const before = isRested ? new Map<string, Watched>() : this.#watched
    this.#watched = new Map(connections.map((c) => [c.machineId, seen(c, before.get(c.machineId), now)]))
    return connections.filter((c) => now - (this.#watched.get(c.machineId)?.sinceMs ?? now) >= this.#silentMs)
  }
}

function seen(connection: HeardConnection, known: Watched | undefined, now: number): Watched {
  const key = `${connection.machineGen} ${connection.lastContactAt?.getTime() ?? ''}`
  return known?.key === key ? known : { key, sinceMs: now }
}
