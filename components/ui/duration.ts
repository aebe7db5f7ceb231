const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A length of time in its largest whole unit: `38 s`, `11 min`, `4 h`, `2 d`. Negative counts as 0. */
export function durationText(ms: number): string {
  const length = Math.max(0, ms)
  if (length < MINUTE) return `${Math.floor(length / SECOND)} s`
  if (length < HOUR) return `${Math.floor(length / MINUTE)} min`
  if (length < 2 * DAY) return `${Math.floor(length / HOUR)} h`
  return `${Math.floor(length / DAY)} d`
}

/** The same with two units where the second one matters: `2 h 06 min`, `3 min 12 s`. */
export function longDurationText(ms: number): string {
  const length = Math.max(0, ms)
  if (length < MINUTE) return `${Math.floor(length / SECOND)} s`
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0')
  if (length < HOUR) return `${Math.floor(length / MINUTE)} min ${two((length % MINUTE) / SECOND)} s`
  if (length < DAY) return `${Math.floor(length / HOUR)} h ${two((length % HOUR) / MINUTE)} min`
  return `${Math.floor(length / DAY)} d ${two((length % DAY) / HOUR)} h`
}
