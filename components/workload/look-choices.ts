import { LIMITS } from '@/domain/limits'
import type { WorkloadView } from '@/domain/views'

type LookChoice = { minutes: number; label: string }

const HOURS = [1, 4, 12] as const
const MINUTE_MS = 60_000

/** For how much longer, from now, what is left of a failed workload can be kept for a look: what would not be longer is left out. Pure. */
export function lookChoices(workload: Pick<WorkloadView, 'stateSince' | 'looksUntil'>, nowMs: number): LookChoice[] {
  const { looksUntil, stateSince } = workload
  if (looksUntil === null) return []
  const lastMs = stateSince.getTime() + LIMITS.lookMinutesMax * MINUTE_MS
  const most = Math.min(LIMITS.lookMinutesMax, Math.ceil((lastMs - nowMs) / MINUTE_MS))
  const choices = [
    ...HOURS.map((hours) => ({ minutes: hours * 60, label: `For ${hours} ${hours === 1 ? 'hour' : 'hours'} from now` })),
    { minutes: most, label: `As long as can be: ${LIMITS.lookMinutesMax / 60} hours after it failed` },
  ]
  return choices.filter(
    ({ minutes }) =>
      minutes >= LIMITS.lookMinutes && minutes <= most && nowMs + minutes * MINUTE_MS > looksUntil.getTime() + MINUTE_MS,
  )
}
