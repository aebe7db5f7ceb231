/** Where a link of the terminal leads, or null when it is not a web address. The label shown there is not trusted. */
export function linkTarget(uri: string): { href: string; host: string; hasUser: boolean } | null {
  let url: URL
  try {
    url = new URL(uri)
  } catch {
    return null // not an address at all: there is nothing to open
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  const hasUser = url.username !== '' || url.password !== ''
  return { href: url.href, host: url.host, hasUser }
}
