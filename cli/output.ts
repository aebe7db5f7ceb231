/** Writes a line for the person or the next program. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Says something beside the result. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** A value for programs: JSON, indented. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

/** Rows under a heading, in columns. Nothing but the heading when there are none. */
export function printTable(heading: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = heading.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)))
  for (const row of [heading, ...rows])
    print(
      row
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
}

/** How long ago, in its largest unit. */
export function age(at: Date, now = Date.now()): string {
  const seconds = Math.max(0, Math.floor((now - at.getTime()) / 1000))
  const [unit, size] = UNITS.find(([, length]) => seconds >= length) ?? ['s', 1]
  return `${Math.floor(seconds / size)} ${unit}`
}
const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
] as const
