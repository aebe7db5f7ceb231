import { LIMITS } from './limits'
import { between } from './whole-number'

/** For how long, from now, somebody wants to look at a failed workload. */
export const lookMinutes = between(LIMITS.lookMinutes, LIMITS.lookMinutesMax, 'minute')

/** Until when what is left of a failed workload is kept for a look. Pure. */
export function lookEnd({ stateSince, looksUntil }: { stateSince: Date; looksUntil: Date | null }): Date {
  return looksUntil ?? new Date(stateSince.getTime() + LIMITS.lookMinutes * 60_000)
}

/** The end of a look that goes on for so many minutes from now; never later than a bound after the failure. Pure. */
export function longerLook({ stateSince }: { stateSince: Date }, now: Date, minutes: number): Date {
  const lastMs = stateSince.getTime() + LIMITS.lookMinutesMax * 60_000
  return new Date(Math.min(now.getTime() + minutes * 60_000, lastMs))
}
