import type { Runtime } from '@/domain/catalog'
import type { WorkloadEvent } from '@/domain/workloads'

export type RefusedHost = { host: string; times: number; lastAt: Date; lastSeq: number }

const REFUSALS: readonly string[] = ['egress_denied', 'egress_denied_often']

/** The hosts that were refused, the latest first, from a timeline in any order. Pure. */
export function refusedHosts(events: readonly WorkloadEvent[]): RefusedHost[] {
  const byHost = new Map<string, RefusedHost>()
  for (const { reason, at, seq } of events) {
    const { host, count } = reason.args
    if (!REFUSALS.includes(reason.code) || typeof host !== 'string') continue
    const known = byHost.get(host)
    const isNewer = known === undefined || seq > known.lastSeq
    const last = isNewer ? { lastAt: at, lastSeq: seq } : { lastAt: known.lastAt, lastSeq: known.lastSeq }
    // The first is told at once; later, all so far are counted.
    const times = typeof count === 'number' ? Math.max(count, known?.times ?? 0) : Math.max(1, known?.times ?? 0)
    byHost.set(host, { host, times, ...last })
  }
  return [...byHost.values()].sort((a, b) => b.lastSeq - a.lastSeq)
}

/** A refusal is said above the terminal for so long. */
const FRESH_MS = 15 * 60_000

/** The refusal to say above the terminal: the latest, unless it is old or was put away. Pure. */
export function freshRefusal(refused: readonly RefusedHost[], dismissedSeq: number, nowMs: number): RefusedHost | null {
  const [latest] = refused
  if (!latest || latest.lastSeq <= dismissedSeq || nowMs - latest.lastAt.getTime() > FRESH_MS) return null
  return latest
}

/** Loopback, private and link-local addresses, as a program writes them. */
const OWN_NETWORK =
  /^(localhost(:|$)|127\.|10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|\[?(::1\b|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:))/i

/** Why a host is refused. Pure. */
export function whyRefused(host: string): string {
  return OWN_NETWORK.test(host) ? 'It is of this machine or its network: never reachable.' : 'It is not on the list.'
}

/** The `egress` of a runtime that would let it reach what was refused too; null where no line can. Pure. */
export function allowLine(egress: Runtime['egress'], refused: readonly RefusedHost[]): string | null {
  const hosts = refused
    .filter(({ host }) => !OWN_NETWORK.test(host))
    .flatMap(({ host }) => /^([a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*)(?::(?:80|443))?$/.exec(host)?.[1] ?? [])
  const added = [...new Set(hosts)].filter((host) => !egress.allow.includes(host))
  if (added.length === 0) return null
  const names = [...egress.allow, ...added].map((host) => `"${host}"`)
  return `egress: { open: false, allow: [${names.join(', ')}] }`
}

/** What a runtime may reach, in one sentence. Pure. */
export function egressWords(egress: Runtime['egress']): string {
  if (egress.open) return 'Every public address; nothing of this machine or its network'
  const n = egress.allow.length
  const listed = n === 0 ? '' : ` and ${n} ${n === 1 ? 'host' : 'hosts'}`
  return `The package registries of its machine${listed}; everything else is refused`
}

/** "twice", "3 times". Pure. */
export function timesWords(times: number): string {
  return times === 1 ? 'once' : times === 2 ? 'twice' : `${times} times`
}
