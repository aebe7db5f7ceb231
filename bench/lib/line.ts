/** One measured number. `goal` is `<=N` or `>=N`; `-` for a number that only explains another one. */
export type Line = { name: string; value: number; unit: string; goal: string }

/** `name value unit goal`. */
export function formatLine({ name, value, unit, goal }: Line): string {
  return `${name} ${roundValue(value)} ${unit} ${goal}`
}

/** Three digits are what a run on a shared machine can tell. */
export function roundValue(value: number): string {
  if (Math.abs(value) >= 100) return value.toFixed(0)
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

/** Null for a number without a goal. The value is compared as it is printed, so that a line never contradicts itself. */
export function isMet({ value, goal }: Line): boolean | null {
  const [, sign, bound] = /^(<=|>=)(.+)$/.exec(goal) ?? []
  if (!sign || !bound) return null
  const printed = Number(roundValue(value))
  return sign === '<=' ? printed <= Number(bound) : printed >= Number(bound)
}
