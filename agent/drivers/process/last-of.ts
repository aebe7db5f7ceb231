/** The last answer to a question: kept while it is asked again, and when that fails. The first is waited for. */
export function lastOf<T>(ask: () => Promise<T>): { last: () => Promise<T>; again: () => Promise<T> } {
  let last: Promise<T> | null = null
  const again = () => {
    const [next, before] = [ask(), last]
    last ??= next
    next.then(
      () => {
        last = next
      },
      () => {
        last = before
      },
    )
    return next
  }
  return { last: () => last ?? again(), again }
}
