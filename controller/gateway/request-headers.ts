import type { IncomingHttpHeaders } from 'node:http'

/** Berth's own cookies on a workload's host. Names with these prefixes never pass in either direction. */
const RESERVED_COOKIE = /^__(host|secure)-berth/i
/** The pass of one workload's host. */
export const APP_COOKIE = '__Host-berth_app'
/** The nonce of a browser that is about to enter. */
export const PRE_COOKIE = '__Host-berth_pre'
/** The path that a browser wanted before it had to enter. */
export const TO_COOKIE = '__Host-berth_to'

const DROPPED = new Set([
  'forwarded',
  'x-real-ip',
  'expect',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
])
const DROPPED_PREFIXES = ['x-forwarded-', 'x-original-', 'x-rewrite-', 'x-middleware-', 'x-nextjs-', 'x-berth-']
/** Credentials of Berth that a client may have sent by mistake; an application's own authorization passes. */
const BERTH_AUTHORIZATION = /^\s*(ticket\s|(bearer|token|basic)\s+berth_)/i

/** `token`: what a server without a namespace of its own asks of whoever reaches it; null: it asks nothing. */
type From = { host: string; address: string; isUpgrade: boolean; token: string | null }

/** Is this a name that only Berth sets, whatever its case or the spaces around it? */
export function isReservedCookie(name: string): boolean {
  return RESERVED_COOKIE.test(name.trim())
}

/**
 * Makes a request fit for a workload, in place: it carries no credential of Berth, nothing that claims to come from a
 * proxy, and no header that only concerns one hop. `Host` stays as it is. An upgrade keeps its `Upgrade` header.
 */
export function cleanRequest(headers: IncomingHttpHeaders, from: From): void {
  for (const name of named(headers.connection)) if (name !== 'upgrade' && name !== 'transfer-encoding') delete headers[name]
  for (const name of Object.keys(headers)) {
    if (DROPPED.has(name) || DROPPED_PREFIXES.some((prefix) => name.startsWith(prefix))) delete headers[name]
  }
  if (from.isUpgrade) headers.connection = 'Upgrade'
  if (!from.isUpgrade) {
    delete headers.connection
    delete headers.upgrade
  }
  if (BERTH_AUTHORIZATION.test(headers.authorization ?? '')) delete headers.authorization
  if (from.token !== null) headers.authorization = `token ${from.token}`
  const cookies = withoutReserved(headers.cookie ?? '')
  if (cookies === '') delete headers.cookie
  else headers.cookie = cookies
  headers['x-forwarded-host'] = from.host
  headers['x-forwarded-proto'] = 'http'
  headers['x-forwarded-for'] = from.address
}

function withoutReserved(header: string): string {
  return header
    .split(';')
    .filter((pair) => !isReservedCookie(pair.split('=', 1)[0] ?? ''))
    .join(';')
    .trim()
}

/** Names in a `Connection` header: headers for this hop only. */
function named(connection: string | undefined): string[] {
  return (connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'host')
}
