/** Joins class names; what is falsy falls out. Later classes do not override earlier ones: pass variants, not fixes. */
export function cn(...parts: readonly (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(' ')
}
