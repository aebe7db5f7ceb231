import type { IncomingHttpHeaders } from 'node:http'
import { hasControl } from './header-text'
import { isReservedCookie } from './request-headers'

const COOKIES_MAX = 50
const COOKIE_BYTES_MAX = 4096
const DROPPED = [
  'strict-transport-security',
  'alt-svc',
  'public-key-pins',
  'public-key-pins-report-only',
  'service-worker-allowed',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'trailer',
  'upgrade',
] as const

/**
 * Makes a workload's answer fit for a browser, in place: it sets no cookie beyond its own host and none of Berth's names,
 * speaks for no other service on this machine, and gains headers that only tighten.
 */
export function cleanAnswer(headers: IncomingHttpHeaders): void {
  for (const name of (headers.connection ?? '').split(',').map((part) => part.trim().toLowerCase())) {
    if (name !== '' && name !== 'transfer-encoding') delete headers[name]
  }
  for (const name of [...DROPPED, 'connection']) delete headers[name]
  cleanCookies(headers)
  tighten(headers)
}

/** The answer to an upgrade: what the handshake needs, and cookies under the same rules. */
export function cleanUpgradeAnswer(headers: IncomingHttpHeaders): void {
  for (const name of Object.keys(headers)) if (!HANDSHAKE.test(name)) delete headers[name]
  cleanCookies(headers)
}
const HANDSHAKE = /^(connection|upgrade|set-cookie|sec-websocket-(accept|protocol|extensions|version))$/

/** Drops cookies with reserved or empty names, and what is too large or too many; takes `Domain` off the others. */
function cleanCookies(headers: IncomingHttpHeaders): void {
  const cookies = (headers['set-cookie'] ?? [])
    .filter((line) => Buffer.byteLength(line) <= COOKIE_BYTES_MAX && !isHostile(line))
    .slice(0, COOKIES_MAX)
    .map(withoutDomain)
  if (cookies.length === 0) delete headers['set-cookie']
  else headers['set-cookie'] = cookies
}

/**
 * A cookie without a name is sent back as its bare value, so `=__Host-berth_app=x` would come back as a pass; browsers
 * also trim what surrounds a name. Control characters are refused as a whole.
 */
function isHostile(line: string): boolean {
  const pair = line.split(';', 1)[0] ?? ''
  const name = pair.includes('=') ? pair.slice(0, pair.indexOf('=')).trim() : ''
  return name === '' || isReservedCookie(name) || hasControl(line)
}

function withoutDomain(line: string): string {
  return line
    .split(';')
    .filter((part, index) => index === 0 || part.split('=', 1)[0]?.trim().toLowerCase() !== 'domain')
    .join(';')
}

function tighten(headers: IncomingHttpHeaders): void {
  // A header of its own: a browser applies every policy that it gets, so this can only take rights away. A notebook shows
  // pages of its own in frames (docs/adr/0003-origins.md); the dashboard and siblings are other origins.
  const theirs = headers['content-security-policy'] ?? []
  headers['content-security-policy'] = [theirs, "frame-ancestors 'self'"].flat()
  headers['x-content-type-options'] = 'nosniff'
  headers['cross-origin-resource-policy'] = 'same-origin'
  headers['origin-agent-cluster'] = '?1'
  headers['x-robots-tag'] = 'noindex, nofollow'
  headers['referrer-policy'] ??= 'strict-origin'
}
