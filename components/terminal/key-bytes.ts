/** Keys of the phone's key bar, as a terminal sends them. */
export const BAR_KEYS = {
  escape: '\x1b',
  tab: '\t',
  enter: '\r',
  left: '\x1b[D',
  down: '\x1b[B',
  up: '\x1b[A',
  right: '\x1b[C',
} as const
export type BarKey = keyof typeof BAR_KEYS

const APPLICATION: Partial<Record<BarKey, string>> = { left: '\x1bOD', down: '\x1bOB', up: '\x1bOA', right: '\x1bOC' }
const WITH_CTRL: Partial<Record<BarKey, string>> = { left: '\x1b[1;5D', down: '\x1b[1;5B', up: '\x1b[1;5A', right: '\x1b[1;5C' }

/** Bytes of one key of the bar; programs that ask for application cursor keys get those. */
export function barKeyBytes(key: BarKey, modes: { isApplication: boolean; hasCtrl: boolean }): string {
  if (modes.hasCtrl) return WITH_CTRL[key] ?? BAR_KEYS[key]
  return (modes.isApplication ? APPLICATION[key] : undefined) ?? BAR_KEYS[key]
}

/** What Ctrl makes of a typed character: Ctrl and c is 0x03; what has no such form stays as it is. */
export function withCtrl(text: string): string {
  const [head = ''] = text
  if (head === ' ') return `\x00${text.slice(1)}`
  const code = head.toUpperCase().charCodeAt(0)
  const isControl = head.length === 1 && code >= 0x40 && code <= 0x5f
  return isControl ? String.fromCharCode(code & 0x1f) + text.slice(1) : text
}
