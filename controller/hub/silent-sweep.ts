import { LIMITS } from '@/domain/limits'
import type { Clock } from '@/kit/clock'
import type { Log } from '@/kit/log'
import { pause } from '@/kit/loop'
import type { Db } from '@/server/store/db'
import { forgetSilentConnections, machinesByIds } from '@/server/store/system/machines'
import { SteadyTime } from '../steady-time'
import type { RegisteredLink } from './registered-link'

type SweepDeps = { db: Db; clock: Clock; log: Log; everyMs: number }

const SILENT_MS = LIMITS.machineSilentSeconds * 1000

/**
 * Machines of a controller that was killed are not connected any more; nobody else says so. A clock that was set forward
 * makes every machine look silent: until each was heard again, nothing is swept.
 */
export async function sweepSilent(deps: SweepDeps, links: () => Iterable<RegisteredLink>, signal: AbortSignal): Promise<void> {
  const { clock, log, everyMs } = deps
  const steady = new SteadyTime()
  while (!signal.aborted) {
    steady.look(clock.now())
    if (steady.steadyForMs >= Math.min(SILENT_MS, 3 * everyMs))
      await sweepOnce(deps, [...links()]).catch((error: unknown) => log.warn('silent connections not swept', { error }))
    await pause(everyMs, signal)
  }
}

async function sweepOnce({ db, clock, log }: SweepDeps, links: readonly RegisteredLink[]): Promise<void> {
  await forgetSilentConnections(db, new Date(clock.now().getTime() - SILENT_MS))
  const open = new Map(links.filter((link) => link.isOpen).map((link) => [link.machine.id, link]))
  for (const machine of await machinesByIds(db, [...open.keys()])) {
    if (machine.isConnected) continue
    // Taken for silent while it is here, by a process that slept: its next connection is registered anew.
    log.warn('a connected machine was taken for silent; it connects again', { machineId: machine.id })
    open.get(machine.id)?.close()
  }
}
