import type { WorkloadSettings } from '@/domain/workloads'

const HOUR = 60
const DAY = 24 * HOUR

/** Lengths that the form offers; what was set elsewhere is offered too. */
const OFFERED_MINUTES = [30, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, DAY, 7 * DAY] as const

/** A length in its largest whole unit: `30 min`, `2 h`, `7 d`. Pure. */
export function minutesText(minutes: number): string {
  if (minutes % DAY === 0) return `${minutes / DAY} d`
  if (minutes % HOUR === 0) return `${minutes / HOUR} h`
  return minutes < HOUR ? `${minutes} min` : `${Math.floor(minutes / HOUR)} h ${minutes % HOUR} min`
}

/** The choices of one length, `never` first, in order; a length of its own stands among them. Pure. */
export function minuteOptions(chosen: number | null, never: string): { value: string; label: string }[] {
  const all = chosen === null ? [...OFFERED_MINUTES] : [...new Set([...OFFERED_MINUTES, chosen])].sort((a, b) => a - b)
  return [{ value: '', label: never }, ...all.map((minutes) => ({ value: String(minutes), label: minutesText(minutes) }))]
}

/** `18:30` as a line for every day, or null when it is no time of day. Pure. */
export function dailyCron(time: string): string | null {
  const parts = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time)
  return parts ? `${Number(parts[2])} ${Number(parts[1])} * * *` : null
}

/** The time of a line that means every day, such as `18:30`; null for any other line. Pure. */
export function dailyTime(cron: string): string | null {
  const parts = /^(\d{1,2}) (\d{1,2}) \* \* \*$/.exec(cron)
  if (!parts) return null
  const time = `${String(parts[2]).padStart(2, '0')}:${String(parts[1]).padStart(2, '0')}`
  return dailyCron(time) === null ? null : time
}

/** When it stops by itself, in a few words for each way. Pure. */
export function stopWords({ idleMinutes, limitMinutes, parkAt }: WorkloadSettings): string[] {
  const words: string[] = []
  if (idleMinutes !== null) words.push(`after ${minutesText(idleMinutes)} idle`)
  if (limitMinutes !== null) words.push(`after ${minutesText(limitMinutes)} at most`)
  if (parkAt)
    words.push(dailyTime(parkAt.cron) === null ? `by schedule ${parkAt.cron}` : `every day at ${dailyTime(parkAt.cron)}`)
  return words
}
