import { isIP } from 'node:net'

/** Where a program in a sandbox wants to go, in its one canonical form. */
export type Target = { host: string; port: number; isLiteral: boolean }

const HOST_CHARS_MAX = 253
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/

/** Reads `host:port` of a CONNECT. Null for anything that could be read in two ways. */
export function connectTarget(authority: string): Target | null {
  const match = /^(\[[0-9A-Fa-f:.]+\]|[^:[\]]+):(\d{1,5})$/.exec(authority)
  return match?.[1] && match[2] ? target(match[1], Number(match[2])) : null
}

/** Reads the absolute address of a plain HTTP request; only `http:` without a user part. */
export function absoluteTarget(address: string): (Target & { path: string }) | null {
  const match = /^http:\/\/(\[[0-9A-Fa-f:.]+\]|[^/?#:@\\[\]]+)(?::(\d{1,5}))?(\/[^#\s]*)?$/i.exec(address)
  if (!match?.[1]) return null
  const found = target(match[1], match[2] ? Number(match[2]) : 80)
  return found && { ...found, path: match[3] ?? '/' }
}

/** Lower case, no trailing dot, plain labels only. Numbers that some resolver would read as an address are refused. */
export function canonicalHost(host: string): string | null {
  const name = host.toLowerCase().replace(/\.$/, '')
  if (name.length === 0 || name.length > HOST_CHARS_MAX) return null
  const labels = name.split('.')
  if (!labels.every((label) => LABEL.test(label))) return null
  const last = labels.at(-1) ?? ''
  return /^(\d+|0x[0-9a-f]*)$/.test(last) ? null : name
}

function target(host: string, port: number): Target | null {
  if (port < 1 || port > 65_535) return null
  const literal = host.startsWith('[') ? host.slice(1, -1) : host
  if (isIP(literal) !== 0 && (isIP(literal) === 6) === host.startsWith('['))
    return { host: literal.toLowerCase(), port, isLiteral: true }
  if (host.startsWith('[')) return null
  const name = canonicalHost(host)
  return name === null ? null : { host: name, port, isLiteral: false }
}
