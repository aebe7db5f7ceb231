import { personKey } from './queue'

/** What one start held of a machine, and from when to when; `to` is null while it does. */
export type Held = { tenantId: string; ownerId: string; cpus: number; gpus: number; from: Date; to: Date | null }

const HOUR_MS = 3_600_000
/** What was used a day ago counts half; what was used before the window, nothing. */
const HALF_LIFE_HOURS = 24
export const SHARE_WINDOW_DAYS = 7
/** A GPU weighs as much as the CPUs that usually stand beside one. */
const CPUS_OF_GPU = 8

/** CPU-hours that each person used of late, by `personKey`; the longer ago, the less they count. Pure. */
export function decayedUse(held: readonly Held[], now: Date): Map<string, number> {
  const uses = new Map<string, number>()
  for (const one of held) {
    const size = one.cpus + one.gpus * CPUS_OF_GPU
    const key = personKey(one)
    uses.set(key, (uses.get(key) ?? 0) + size * weightedHours(one, now))
  }
  return uses
}

/** The integral of 2^(-age / half-life) over the time that it was held. */
function weightedHours({ from, to }: Pick<Held, 'from' | 'to'>, now: Date): number {
  const age = (at: Date) => Math.max(0, (now.getTime() - at.getTime()) / HOUR_MS)
  const start = Math.min(age(from), SHARE_WINDOW_DAYS * 24)
  const end = to ? age(to) : 0
  if (start <= end) return 0
  const left = (hours: number) => 2 ** (-hours / HALF_LIFE_HOURS)
  return (HALF_LIFE_HOURS / Math.LN2) * (left(end) - left(start))
}
