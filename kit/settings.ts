import { z } from 'zod'
import { nearest } from './nearest.mjs'

/**
 * Parses the `PREFIX_*` variables of an environment. Throws one Error naming the variable and its limit; an unknown
 * name is an error with the nearest known one, so that a typing mistake never passes in silence.
 */
export function parseSettings<S extends z.ZodObject>(
  schema: S,
  environment: Record<string, string | undefined>,
  options: { prefix: string; alsoKnown: readonly string[] },
): z.infer<S> {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([name, value]) => name.startsWith(options.prefix) && value !== undefined),
  )
  const known = Object.keys(schema.shape)
  for (const name of Object.keys(given)) {
    if (known.includes(name) || options.alsoKnown.includes(name)) continue
    throw new Error(`${name} is not a setting; did you mean ${nearest(name, [...known, ...options.alsoKnown])}?`)
  }
  const parsed = z.object(schema.shape).safeParse(given)
  if (parsed.success) return parsed.data as z.infer<S>
  const issue = parsed.error.issues[0]
  throw new Error(`${issue?.path.join('.') ?? 'settings'}: ${issue?.message ?? 'not valid'}`)
}
