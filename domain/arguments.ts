/**
 * Checks of the arguments that texts are made from. Written by hand: this is part of every page of the dashboard, and a
 * schema library would add a tenth to each of them. What crosses a border is still parsed with zod.
 */
export type Argument<T> = { accepts: (value: unknown) => boolean; isOptional: boolean; readonly type?: T }
export type Shape = Record<string, Argument<unknown>>

type OptionalKeys<S extends Shape> = { [K in keyof S]: undefined extends TypeOf<S[K]> ? K : never }[keyof S]
type TypeOf<A> = A extends Argument<infer T> ? T : never
/** The values of a shape, by name. */
export type Values<S extends Shape> = { [K in Exclude<keyof S, OptionalKeys<S>>]: TypeOf<S[K]> } & {
  [K in OptionalKeys<S>]?: TypeOf<S[K]>
}

/** A list of named arguments. */
export type Arguments<S extends Shape> = {
  shape: S
  /** The known arguments, or nothing when one is missing or of another kind. Never throws; drops what it does not know. */
  safeParse: (values: unknown) => { success: true; data: Values<S> } | { success: false }
}

/** Named arguments. */
export function named<S extends Shape>(shape: S): Arguments<S> {
  return { shape, safeParse: (values) => parse(shape, values) }
}

/** A text of at most so many characters. */
export function text(charsMax: number): Argument<string> {
  return { accepts: (value) => typeof value === 'string' && value.length <= charsMax, isOptional: false }
}

/** One of these words. */
export function oneOf<T extends string>(words: readonly T[]): Argument<T> {
  return { accepts: (value) => words.some((word) => word === value), isOptional: false }
}

/** A whole number. */
export function integer(min = Number.MIN_SAFE_INTEGER): Argument<number> {
  return { accepts: (value) => Number.isSafeInteger(value) && Number(value) >= min, isOptional: false }
}

/** An argument that may be missing. */
export function optional<T>(argument: Argument<T>): Argument<T | undefined> {
  return { accepts: (value) => value === undefined || argument.accepts(value), isOptional: true }
}

function parse<S extends Shape>(shape: S, values: unknown): { success: true; data: Values<S> } | { success: false } {
  if (typeof values !== 'object' || values === null) return { success: false }
  const data: Record<string, unknown> = {}
  for (const [name, argument] of Object.entries(shape)) {
    // Only what the object itself has: a foreign name such as `constructor` is not an argument.
    const value: unknown = Object.hasOwn(values, name) ? Reflect.get(values, name) : undefined
    if (!argument.accepts(value)) return { success: false }
    if (value !== undefined) data[name] = value
  }
  return { success: true, data: data as Values<S> }
}
