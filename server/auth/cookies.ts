/** The dashboard's session cookie. `Secure` holds on *.localhost, which browsers trust like https. */
export const SESSION_COOKIE = '__Host-berth_session'
/** The other cookies of sign-in: a CSRF value and where to go afterwards. */
export const CSRF_COOKIE = '__Host-berth_csrf'
/** Where a person wanted to go before they had to sign in. */
export const RETURN_COOKIE = '__Host-berth_return'

/** Attributes of every cookie that Berth sets on the dashboard. */
export const COOKIE_OPTIONS = { httpOnly: true, secure: true, sameSite: 'lax', path: '/' } as const

export type CookieRead = { found: 'one'; value: string } | { found: 'none' } | { found: 'many' }

/**
 * Reads one cookie of a `Cookie` header. The name is compared exactly as it came: nothing is trimmed but the one space
 * after `;`, nothing is decoded. A name that comes twice was tossed in by another host, so it counts as `many`.
 */
export function readCookie(header: string | null, name: string): CookieRead {
  const values = (header ?? '')
    .split(';')
    .map((pair) => (pair.startsWith(' ') ? pair.slice(1) : pair))
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
  const [value] = values
  if (value === undefined) return { found: 'none' }
  return values.length === 1 ? { found: 'one', value } : { found: 'many' }
}
