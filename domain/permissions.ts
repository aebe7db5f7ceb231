import type { Role } from './kinds'

/** How a person relates to one workload. */
export type Relation = 'own' | 'manage' | 'use' | 'view' | 'other'

/** Actions on a workload, grouped by what they reveal or change. */
export const ACTIONS = {
  'workload.view': 'see this workload',
  'workload.watch': 'watch its terminal, logs and record',
  'workload.open': 'open this workload',
  'workload.operate': 'park, pause, resume or restart this workload',
  'workload.settings': 'change this workload',
  'workload.packages': 'change the packages of this workload',
  'workload.delete': 'delete this workload',
  'workload.share': 'share this workload',
} as const
export type Action = keyof typeof ACTIONS

/** What a share may give, from the least to the most. */
export const SHARE_LEVELS = ['view', 'use', 'manage'] as const
export type ShareLevel = (typeof SHARE_LEVELS)[number]

const OWN: readonly Action[] = Object.keys(ACTIONS) as Action[]
const BY_RELATION: Record<Exclude<Relation, 'other'>, readonly Action[]> = {
  own: OWN,
  manage: OWN.filter((a) => a !== 'workload.share'),
  use: ['workload.view', 'workload.watch', 'workload.open', 'workload.operate'],
  view: ['workload.view', 'workload.watch'],
}
/** Never what is run inside: packages are code, and it acts with the owner's files. */
const ADMIN: readonly Action[] = ['workload.view', 'workload.operate', 'workload.settings', 'workload.delete']
/** A tenant viewer never gets more than this, whatever is shared with them. */
const VIEWER: readonly Action[] = ['workload.view', 'workload.watch']

/** The one table: role × action × relation. Pure. */
export function isAllowed(role: Role, relation: Relation, action: Action): boolean {
  const shared = relation === 'other' ? [] : BY_RELATION[relation]
  if (role === 'viewer') return shared.includes(action) && VIEWER.includes(action)
  if (shared.includes(action)) return true
  return (role === 'owner' || role === 'admin') && ADMIN.includes(action)
}
