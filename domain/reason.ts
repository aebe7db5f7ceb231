import { type Arguments, integer, named, type Shape, text, type Values } from './arguments'

export type Severity = 'info' | 'good' | 'warn' | 'bad'
export type ReasonRow<S extends Shape> = {
  severity: Severity
  args: Arguments<S>
  /** Arguments that only trusted tenants and operators may see; stripped on write for others. */
  operatorOnly?: readonly string[]
  text: (args: Values<S>) => string
}

/** A row of the vocabulary: its text is made from its own arguments and nothing else. */
export const reason = <S extends Shape>(row: ReasonRow<S>) => row
/** Arguments that many rows share. */
export const none = named({})
export const count = integer(0)
export const word = text(100)
export const byPerson = named({ person: text(80) })

/** A number with its noun: `1 CPU`, `2 CPUs`. */
export function counted(n: number, one: string): string {
  return `${n} ${one}${n === 1 ? '' : 's'}`
}

export function gib(bytes: number): string {
  return `${Math.round((bytes / 2 ** 30) * 10) / 10} GiB`
}
