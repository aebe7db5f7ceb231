import { hostLabel } from '@/domain/ids'
import { addresses } from '@/domain/settings'
import { parsePort } from '@/protocol/paths'

/**
 * Where a request was sent. `workload`: the host of one workload, by its canonical label; `port`: another port of it. `data`: the dashboard's data
 * host. `unknown`: shaped like a workload's host, but no label can be read from it. `foreign`: not a name of ours.
 */
export type Destination =
  | { host: 'workload'; label: string; port: number | null }
  | { host: 'data' }
  | { host: 'unknown' }
  | { host: 'foreign' }

const LONGEST = 100
const KNOWN_MAX = 1000

/** Reads `Host` headers and remembers what they mean: a browser sends the same one with every request. */
export class Destinations {
  readonly #dashboardPort: number
  readonly #known = new Map<string, Destination>()

  constructor(dashboardPort: number) {
    this.#dashboardPort = dashboardPort
  }

  of(hostHeader: string | undefined): Destination {
    const known = hostHeader === undefined ? undefined : this.#known.get(hostHeader)
    if (known) return known
    const to = destinationOf(hostHeader, this.#dashboardPort)
    if (this.#known.size >= KNOWN_MAX) this.#known.clear()
    if (to.host === 'workload' && hostHeader !== undefined) this.#known.set(hostHeader, to)
    return to
  }
}

/**
 * The one resolver of this gateway: reads the `Host` header and nothing else. Letters may be of either case, as host names
 * have none; everything else is compared byte for byte, so that one workload has exactly one name: no trailing dot, no
 * other port, no escapes, no spaces.
 */
export function destinationOf(hostHeader: string | undefined, dashboardPort: number): Destination {
  if (hostHeader === undefined || hostHeader.length > LONGEST) return { host: 'foreign' }
  const host = lowerAscii(hostHeader)
  const known = addresses(dashboardPort)
  if (host === known.dataHost) return { host: 'data' }
  const name = /^w-(.*)\.localhost:(\d+)$/s.exec(host)
  if (name?.[2] !== String(known.gatewayPort)) return { host: 'foreign' }
  const [first, inside, ...more] = (name[1] ?? '').split('--')
  const label = hostLabel.safeParse(first)
  const port = inside === undefined ? null : parsePort(inside)
  if (!label.success || more.length > 0 || (inside !== undefined && port === null)) return { host: 'unknown' }
  return { host: 'workload', label: label.data, port }
}

/** Unlike toLowerCase, folds no other alphabet: the Kelvin sign is no k. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
