/** The known name with the smallest edit distance. */
export function nearest(name: string, known: readonly string[]): string
