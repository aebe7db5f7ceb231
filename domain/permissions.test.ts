import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Role } from './kinds'
import { ROLES } from './kinds'
import type { Action, Relation } from './permissions'
import { ACTIONS, isAllowed } from './permissions'

const V: Action[] = ['workload.view', 'workload.watch']
const U: Action[] = [...V, 'workload.open', 'workload.operate']
const M: Action[] = [...U, 'workload.settings', 'workload.packages', 'workload.delete']
const OWN: Action[] = [...M, 'workload.share']
const ADMIN: Action[] = ['workload.view', 'workload.operate', 'workload.settings', 'workload.delete']
const merged = (...lists: Action[][]) => [...new Set(lists.flat())]

/** role × relation → what may be done; anything else is refused. */
const TABLE: [Role, Relation, Action[]][] = [
  ['member', 'own', OWN],
  ['member', 'manage', M],
  ['member', 'use', U],
  ['member', 'view', V],
  ['member', 'other', []],
  ['viewer', 'own', V],
  ['viewer', 'manage', V],
  ['viewer', 'use', V],
  ['viewer', 'view', V],
  ['viewer', 'other', []],
  ['admin', 'own', OWN],
  ['admin', 'manage', M],
  ['admin', 'use', merged(U, ADMIN)],
  ['admin', 'view', merged(V, ADMIN)],
  ['admin', 'other', ADMIN],
  ['owner', 'own', OWN],
  ['owner', 'manage', M],
  ['owner', 'use', merged(U, ADMIN)],
  ['owner', 'view', merged(V, ADMIN)],
  ['owner', 'other', ADMIN],
]
const ACTION_NAMES = Object.keys(ACTIONS) as Action[]

describe('permissions', () => {
  it.each(TABLE)('let a %s with relation %s do exactly what the table says', (role, relation, allowed) => {
    expect(ACTION_NAMES.filter((a) => isAllowed(role, relation, a)).sort()).toEqual([...allowed].sort())
  })

  it('cover every role and relation', () => {
    expect(TABLE).toHaveLength(ROLES.length * 5)
  })

  it('never let an admin open what nobody shared with them', () => {
    for (const role of ROLES) expect(isAllowed(role, 'other', 'workload.open')).toBe(false)
  })

  it('never give more to a weaker relation', () => {
    const order: Relation[] = ['own', 'manage', 'use', 'view', 'other']
    fc.assert(
      fc.property(fc.constantFrom(...ROLES), fc.constantFrom(...ACTION_NAMES), fc.nat({ max: 3 }), (...[role, action, i]) => {
        const stronger = order[i] ?? 'own'
        const weaker = order[i + 1] ?? 'other'
        if (isAllowed(role, weaker, action)) expect(isAllowed(role, stronger, action)).toBe(true)
      }),
    )
  })
})
