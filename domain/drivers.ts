import type { Trust } from './kinds'

/** What stands between a workload and its machine, the weakest first. */
export const ISOLATIONS = ['none', 'sandbox', 'container', 'cluster', 'vm'] as const
export type Isolation = (typeof ISOLATIONS)[number]

/** Isolation comes from this table, never from an agent: the agent only says which rows work on its machine. */
export const DRIVERS = {
  sim: { isolation: 'none', driver: 'sim' },
  'process-plain': { isolation: 'none', driver: 'process' },
  'process-sandboxed': { isolation: 'sandbox', driver: 'process' },
  docker: { isolation: 'container', driver: 'docker' },
  kubernetes: { isolation: 'cluster', driver: 'kubernetes' },
} as const satisfies Record<string, { isolation: Isolation; driver: string }>
export type DriverRow = keyof typeof DRIVERS
/** The names of the rows, for schemas and loops. */
export const DRIVER_ROWS = Object.keys(DRIVERS) as [DriverRow, ...DriverRow[]]

type Relation = 'own' | 'other_trusted' | 'other_untrusted'
const MATRIX: Record<Isolation, Record<Relation, boolean>> = {
  none: { own: true, other_trusted: false, other_untrusted: false },
  sandbox: { own: true, other_trusted: true, other_untrusted: false },
  container: { own: true, other_trusted: true, other_untrusted: false },
  cluster: { own: false, other_trusted: true, other_untrusted: true },
  vm: { own: true, other_trusted: true, other_untrusted: true },
}

/** The trust matrix: may a workload with this isolation run on that machine? */
export function isIsolationEnough(isolation: Isolation, isOwnMachine: boolean, trust: Trust): boolean {
  const relation: Relation = isOwnMachine ? 'own' : trust === 'trusted' ? 'other_trusted' : 'other_untrusted'
  return MATRIX[isolation][relation]
}
