import { Cron } from 'croner'
import { FIVE_FIELDS } from '@/domain/workloads'

/** Its fields in their order, and what each may be. */
const FIELDS = ['minute: 0 to 59', 'hour: 0 to 23', 'day: 1 to 31', 'month: 1 to 12', 'weekday: 0 to 7, Sunday is both'] as const

/** Why no clock can follow this cron line, in one sentence; null when one can. */
export function cronProblem(cron: string): string | null {
  const fields = cron.trim().split(/\s+/)
  if (fields.length !== FIELDS.length) return FIVE_FIELDS
  // Each field alone, among others that any moment fits.
  const wrong = FIELDS.findIndex(
    (_, at) => nextRun(FIELDS.map((_, i) => (i === at ? fields[at] : '*')).join(' ')) === 'unreadable',
  )
  if (wrong >= 0) return `${FIELDS[wrong]}; not ${fields[wrong]}`
  const next = nextRun(cron)
  if (next === 'unreadable') return FIVE_FIELDS
  return next === 'never' ? 'no such day ever comes' : null
}

function nextRun(cron: string): 'unreadable' | 'never' | 'some day' {
  try {
    return new Cron(cron, { paused: true }).nextRun() === null ? 'never' : 'some day'
  } catch {
    return 'unreadable' // its words are about its own syntax; ours name the field
  }
}
