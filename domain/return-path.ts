/** Never a real host: only tells whether an address stays on its own origin. */
const SELF = 'http://self.invalid'

/**
 * Where to go after signing in: a path of this very origin, or `/`. Parsed by the URL standard, as the browser will, so
 * that `//host`, `/\host`, `https:host`, tabs and the like lead nowhere else.
 */
export function returnPath(wanted: string | null | undefined): string {
  if (!wanted?.startsWith('/') || wanted.length > 2000) return '/'
  if (!URL.canParse(wanted, SELF)) return '/'
  const url = new URL(wanted, SELF)
  if (url.origin !== SELF) return '/'
  const path = url.pathname + url.search + url.hash
  return path.startsWith('//') ? '/' : path
}
