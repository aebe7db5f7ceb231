import type { Arguments, Shape, Values } from './arguments'
import type { ReasonRow, Severity } from './reason'
import { MOVES } from './reasons-of-moves'
import { TROUBLE } from './reasons-of-trouble'
import { WAITING } from './reasons-of-waiting'

/** Every reason that a state change, a note or a wait can have. Foreign text never enters one. */
export const REASONS = { ...MOVES, ...WAITING, ...TROUBLE } as const
export type ReasonCode = keyof typeof REASONS
/** The codes of the table, for schemas. */
export const REASON_CODES = Object.keys(REASONS) as [ReasonCode, ...ReasonCode[]]
export type ReasonArgs<C extends ReasonCode> = (typeof REASONS)[C]['args'] extends Arguments<infer S> ? Values<S> : never
/** What is stored and sent: code and arguments; the text is made where it is shown. */
export type Reason<C extends ReasonCode = ReasonCode> = { code: C; args: Record<string, unknown> }

/** The only way to make a reason: a missing or foreign argument does not compile. */
export function because<C extends ReasonCode>(code: C, args: ReasonArgs<C>): Reason<C> {
  return { code, args: args as Record<string, unknown> }
}

/** The sentence of a reason. Arguments that were stripped, or written by another version, never break a page. */
export function reasonText(r: { code: string; args: Record<string, unknown> }): string {
  const row = (REASONS as unknown as Record<string, ReasonRow<Shape> | undefined>)[r.code]
  if (!row) return 'for a reason that this version does not know'
  const args = row.args.safeParse(r.args)
  return args.success ? row.text(args.data) : r.code.replaceAll('_', ' ')
}

/** How much a reason matters; one of a code that this version does not know is mere information. */
export function reasonSeverity(code: string): Severity {
  return (REASONS as unknown as Record<string, ReasonRow<Shape> | undefined>)[code]?.severity ?? 'info'
}
