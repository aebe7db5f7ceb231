import { z } from 'zod'

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

/** The known name with the smallest edit distance. */
export function nearest(name: string, known: readonly string[]): string {
  const ranked = known.map((k) => ({ k, d: distance(name, k) })).sort((a, b) => a.d - b.d)
  return ranked[0]?.k ?? '(there are none)'
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      next.push(Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + cost))
    }
    row = next
  }
  return row[b.length] ?? 0
}
