import { Cron } from 'croner'
import { LIMITS } from '@/domain/limits'
import type { Stop, Workload } from '@/domain/workloads'

const MINUTE_MS = 60_000
const WARN_MS = LIMITS.idleWarnMinutes * MINUTE_MS

/** What a pass does about the end of one run by itself. */
export type StopDecision =
  | { kind: 'none' }
  /** A stop is written down; it is told once, and again when it comes for another cause. */
  | { kind: 'plan'; stopAt: Date; stopWhy: Stop; isTold: boolean }
  | { kind: 'cancel' }
  | { kind: 'park'; stopWhy: Stop }

/**
 * Whether a run that is up ends by itself: because nothing happens inside, because of its limit, or by its schedule.
 * `missingMs`: how much of its warning was not shown yet, by a clock that never jumps. A run is parked only after its
 * warning was shown for the whole of its time, wherever the clock of the wall went meanwhile. Pure.
 */
export function planStop(workload: Workload, now: Date, missingMs: number): StopDecision {
  const due = nextDue(workload, now)
  const { stopAt, stopWhy } = workload
  const warnMs = due ? warningMs(workload, due.why) : 0
  if (!due || due.at.getTime() - warnMs > now.getTime()) return stopAt ? { kind: 'cancel' } : { kind: 'none' }
  if (!stopAt || stopWhy !== due.why) return { kind: 'plan', stopAt: later(due.at, now, warnMs), stopWhy: due.why, isTold: true }
  // Something happened inside since: the same warning, for a later moment.
  if (due.at > stopAt && due.why === 'idle')
    return { kind: 'plan', stopAt: later(due.at, now, 0), stopWhy: due.why, isTold: false }
  if (now < stopAt) return { kind: 'none' }
  if (missingMs <= 0) return { kind: 'park', stopWhy: due.why }
  return { kind: 'plan', stopAt: new Date(now.getTime() + missingMs), stopWhy: due.why, isTold: false }
}

/** How long before its end a run is warned. Half of a short idle period is left without a warning. */
function warningMs({ settings }: Workload, why: Stop | null): number {
  const idleMs = (settings.idleMinutes ?? Number.POSITIVE_INFINITY) * MINUTE_MS
  return why === 'idle' ? Math.min(WARN_MS, idleMs / 2) : WARN_MS
}

type Due = { at: Date; why: Stop }

/** The first cause that ends it. */
function nextDue(workload: Workload, now: Date): Due | null {
  const dues = [idleDue(workload), limitDue(workload), scheduleDue(workload, now)]
  return dues.filter((due) => due !== null).sort((a, b) => a.at.getTime() - b.at.getTime())[0] ?? null
}

/** Nothing happened since the newest of: something inside, somebody opened it, it came up. */
function idleDue({ settings, lastBusyAt, lastOpenedAt, stateSince }: Workload): Due | null {
  if (settings.idleMinutes === null) return null
  const since = Math.max(stateSince.getTime(), lastBusyAt?.getTime() ?? 0, lastOpenedAt?.getTime() ?? 0)
  return { at: new Date(since + settings.idleMinutes * MINUTE_MS), why: 'idle' }
}

function limitDue({ settings, placement }: Workload): Due | null {
  if (settings.limitMinutes === null || !placement) return null
  return { at: new Date(placement.createdAt.getTime() + settings.limitMinutes * MINUTE_MS), why: 'limit' }
}

/** A stop that is planned is the one; behind its moment the schedule would name the next. */
function scheduleDue({ settings, stopAt, stopWhy }: Workload, now: Date): Due | null {
  if (!settings.parkAt) return null
  const at = stopWhy === 'schedule' && stopAt ? stopAt : nextRun(settings.parkAt, now)
  return at && { at, why: 'schedule' }
}

/** Null for a schedule that no clock follows; it was refused when it was set. */
function nextRun({ cron, timeZone }: { cron: string; timeZone: string }, now: Date): Date | null {
  try {
    return new Cron(cron, { timezone: timeZone, paused: true }).nextRun(now)
  } catch {
    return null // settings of another version: a stop that nobody can name never comes
  }
}

function later(at: Date, now: Date, leastMs: number): Date {
  return new Date(Math.max(at.getTime(), now.getTime() + leastMs))
}

type Shown = { stopAt: number; sinceMs: number; neededMs: number }

/**
 * How long each planned stop was shown, by a monotonic clock. Losing it (another controller takes over) shows a warning
 * anew for its whole time: that parks later, never earlier.
 */
export class ShownStops {
  readonly #elapsedMs: () => number
  #shown = new Map<string, Shown>()

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs
  }

  /** Milliseconds of its warning that are still to be shown, by workload; of all that have a stop planned. */
  update(workloads: readonly Workload[], now: Date): ReadonlyMap<string, number> {
    const planned = workloads.flatMap((w) => (w.stopAt && w.placement ? [[w, w.stopAt] as const] : []))
    this.#shown = new Map(planned.map(([w, stopAt]) => [keyOf(w), this.#see(w, stopAt, now)]))
    const elapsed = this.#elapsedMs()
    return new Map(
      planned.map(([w]) => {
        const { sinceMs, neededMs } = this.#shown.get(keyOf(w)) ?? { sinceMs: elapsed, neededMs: warningMs(w, w.stopWhy) }
        return [w.id, Math.max(0, sinceMs + neededMs - elapsed)]
      }),
    )
  }

  #see(w: Workload, stopAt: Date, now: Date): Shown {
    const known = this.#shown.get(keyOf(w))
    const warnMs = warningMs(w, w.stopWhy)
    const moment = stopAt.getTime()
    if (known?.stopAt === moment) return known
    const sinceMs = this.#elapsedMs()
    if (!known) return { stopAt: moment, sinceMs, neededMs: warnMs }
    const leftMs = Math.min(warnMs, Math.max(0, moment - now.getTime()))
    // The wall's clock may have jumped since the moment was written: what was missing still is.
    return { stopAt: moment, sinceMs, neededMs: Math.max(leftMs, known.sinceMs + known.neededMs - sinceMs) }
  }
}

function keyOf({ placement, stopWhy }: Workload): string {
  return `${placement?.id} ${stopWhy}`
}
