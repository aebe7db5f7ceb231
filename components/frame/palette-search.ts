const VERBS = ['open', 'park', 'resume'] as const
export type PaletteVerb = (typeof VERBS)[number]

/** What a typed line asks for: `park no` looks for what is called "no…" and can be parked. Pure. */
export function paletteSearch(text: string): { verb: PaletteVerb | null; name: string } {
  const [first = '', ...rest] = text.trim().toLowerCase().split(/\s+/)
  const verb = VERBS.find((v) => v === first) ?? null
  return verb === null ? { verb, name: text.trim() } : { verb, name: rest.join(' ') }
}
