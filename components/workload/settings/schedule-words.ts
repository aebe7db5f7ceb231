import { sentence } from '@/components/ui/sentence'

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
] as const

type Range = { min: number; max: number; names?: readonly string[] }
const FIELDS: readonly [Range, Range, Range, Range, Range] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: ['', ...MONTHS] },
  { min: 0, max: 7, names: [...WEEKDAYS, 'Sunday'] },
]

/** The values that a field stands for; null: all of them. */
type Values = readonly number[] | null

/** A five-field cron line in plain words, such as `Monday to Friday at 18:00`; null where it cannot be read. Pure. */
export function scheduleWords(cron: string): string | null {
  const parts = cron.trim().split(/\s+/)
  if (parts.length !== FIELDS.length) return null
  const fields = FIELDS.map((range, i) => readField(parts[i] ?? '', range))
  const [minutes, hours, days, months, weekdays] = fields
  if (!minutes || !hours || !days || !months || !weekdays) return null
  const when = [daysWords(days.values, weekdays.values), monthsWords(months.values)].filter((part) => part !== '').join(' ')
  return `${when} ${timesWords(minutes.values, hours.values)}`.trim()
}

function readField(text: string, range: Range): { values: Values } | null {
  if (text === '*' || text === '?') return { values: null }
  const values = new Set<number>()
  for (const part of text.split(',')) {
    const [, from = '', to, step] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d+))?$/.exec(part) ?? []
    const first = from === '*' ? range.min : readValue(from, range)
    const last = to === undefined ? (from === '*' || step !== undefined ? range.max : first) : readValue(to, range)
    const by = step === undefined ? 1 : Number(step)
    if (first === null || last === null || first > last || by < 1 || (from === '*' && to !== undefined)) return null
    for (let value = first; value <= last; value += by) values.add(value)
  }
  const all = [...values].sort((a, b) => a - b)
  return { values: all.length === range.max - range.min + 1 ? null : all }
}

function readValue(text: string, { min, max, names }: Range): number | null {
  const named = names?.findIndex((name) => name !== '' && name.slice(0, 3).toUpperCase() === text.toUpperCase()) ?? -1
  const value = named === -1 ? (/^\d+$/.test(text) ? Number(text) : Number.NaN) : named
  return value >= min && value <= max ? value : null
}

function timesWords(minutes: Values, hours: Values): string {
  if (minutes !== null && hours !== null && minutes.length * hours.length <= 4)
    return `at ${listed(hours.flatMap((hour) => minutes.map((minute) => clock(hour, minute))))}`
  const each = minutesWords(minutes)
  if (hours === null) return each
  const step = stepOf(hours, 24)
  if (step !== null) return `${each}, every ${step} hours`
  return `${each}, in the ${hours.length === 1 ? 'hour' : 'hours'} from ${listed(hours.map((hour) => clock(hour, 0)))}`
}

function minutesWords(minutes: Values): string {
  if (minutes === null) return 'every minute'
  const step = stepOf(minutes, 60)
  if (step !== null) return `every ${step} minutes`
  const [only = 0] = minutes
  if (minutes.length === 1) return only === 0 ? 'on the hour' : `${only} ${only === 1 ? 'minute' : 'minutes'} past the hour`
  return `at minutes ${listed(minutes.map(String))} past the hour`
}

/** The step of values that divide the whole evenly from 0 on; null for any others. */
function stepOf(values: readonly number[], whole: number): number | null {
  const step = values[1]
  if (values.length < 2 || values[0] !== 0 || step === undefined || values.length * step !== whole) return null
  return values.every((value, i) => value === i * step) ? step : null
}

/** As cron has it: where both days and weekdays are given, either is enough. */
function daysWords(days: Values, weekdays: Values): string {
  const named = weekdays === null ? null : weekdaysWords([...new Set(weekdays.map((day) => day % 7))])
  if (days === null) return named ?? 'Every day'
  const dated = `on day ${listed(days.map(String))} of the month`
  return named === null ? sentence(dated) : `${sentence(dated)}, and ${named},`
}

function weekdaysWords(days: number[]): string {
  const ordered = days.map((day) => (day + 6) % 7).sort((a, b) => a - b)
  const [first = 0] = ordered
  const last = ordered.at(-1) ?? first
  const name = (day: number) => WEEKDAYS[(day + 1) % 7] ?? ''
  const isRun = ordered.length > 2 && last - first === ordered.length - 1
  if (ordered.length === 7) return 'Every day'
  return isRun ? `${name(first)} to ${name(last)}` : listed(ordered.map(name))
}

function monthsWords(months: Values): string {
  return months === null ? '' : `in ${listed(months.map((month) => MONTHS[month - 1] ?? ''))}`
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

function clock(hour: number, minute: number): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}
