/**
 * Cookies are ambient, so a request that they authorise must prove that it comes from our own pages. True when it does.
 * `Sec-Fetch-Site` and `Origin` decide; `Sec-Fetch-Mode` is never read.
 */
export function isFromOurPages(headers: Headers, origin: string): boolean {
  const site = headers.get('sec-fetch-site')
  const from = headers.get('origin')
  if (site !== null) return site === 'same-origin' && (from === null || from === origin)
  return from === origin
}

/** Not a browser, and nothing ambient: no cookie, and none of the headers that a browser adds by itself. */
export function isProgram(headers: Headers): boolean {
  return !headers.has('cookie') && !headers.has('origin') && ![...headers.keys()].some((name) => name.startsWith('sec-fetch-'))
}

/** A write of the API: from our own pages, as JSON, which no form can send. */
export function isSameOriginWrite(headers: Headers, origin: string): boolean {
  return isJson(headers) && isFromOurPages(headers, origin)
}

/** May a reading request be answered? Other sites cannot read our answers anyway; this keeps them from asking. */
export function isSameOriginRead(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  return site === null || site === 'same-origin' || site === 'none'
}

/** A form can send three content types without asking first; JSON is none of them. */
export function isJson(headers: Headers): boolean {
  return headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'
}
