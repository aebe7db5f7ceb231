import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** NAT64: the last four bytes are the IPv4 address that is meant. */
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('64:ff9b::'), 96]
/** The only part of IPv6 in which public addresses are given out. */
const GLOBAL_UNICAST: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

/**
 * Is this a public unicast address? Everything else is refused: loopback, private, link-local, carrier NAT, multicast,
 * documentation, benchmarking, tunnels, reserved, and embedded forms of them.
 */
export function isPublicAddress(address: string): boolean {
  const ip = parsed(address)
  if (!ip) return false
  if (ip.kind() === 'ipv6') {
    const v6 = ip as ipaddr.IPv6
    if (v6.match(NAT64)) return isPublicAddress(embedded(v6))
    if (!v6.match(GLOBAL_UNICAST)) return false
  }
  return ip.range() === 'unicast'
}

/** May an exception of the operator lead to this address? Never to one that names no machine or a cloud's metadata. */
export function isReachableException(address: string): boolean {
  const range = parsed(address)?.range()
  return range !== undefined && !['linkLocal', 'multicast', 'broadcast', 'unspecified'].includes(range)
}

/** Is it an address of this machine? A public one would lead to services that only listen here. */
export function isOwnAddress(address: string, interfaces = networkInterfaces()): boolean {
  const ip = parsed(address)?.toNormalizedString()
  return Object.values(interfaces).some((list) => list?.some((row) => parsed(row.address)?.toNormalizedString() === ip))
}

function parsed(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  try {
    return ipaddr.process(address.replace(/%.*$/, ''))
  } catch {
    return null // No address at all.
  }
}

function embedded(v6: ipaddr.IPv6): string {
  const [high = 0, low = 0] = v6.parts.slice(6)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
