import { describe, expect, it } from 'vitest'
import type { Action } from '@/domain/permissions'
import { isAllowed, ACTIONS as PERMISSIONS } from '@/domain/permissions'
import { canMove, isTerminal, STATE_NAMES, type State } from '@/domain/states'
import { ACTIONS, availability, touched, type WorkloadAction } from './actions'

const ALL = Object.keys(PERMISSIONS) as Action[]
const may = (relation: 'own' | 'use' | 'view') => ALL.filter((action) => isAllowed('member', relation, action))
const workload = (state: State, allowed: readonly Action[] = ALL, kind: 'notebook' | 'session' = 'notebook') => ({
  state,
  may: allowed,
  kind,
})
const statesOf = (action: WorkloadAction) => STATE_NAMES.filter((state) => availability(action, workload(state)).can)

describe('what can be done with a workload', () => {
  it('offers a move only where the state table has it', () => {
    expect(statesOf('park').filter((state) => !canMove(state, 'parking'))).toEqual([])
    for (const action of ['resume', 'restart', 'recover'] as const) {
      expect(statesOf(action).filter((state) => !canMove(state, 'queued'))).toEqual([])
    }
    expect(statesOf('delete').filter((state) => !canMove(state, 'removing'))).toEqual([])
  })

  it('offers delete in every state that is not ending or over', () => {
    expect(statesOf('delete')).toEqual(STATE_NAMES.filter((state) => !isTerminal(state) && state !== 'removing'))
  })

  it('says why not, in every state', () => {
    for (const action of Object.keys(ACTIONS) as WorkloadAction[])
      for (const state of STATE_NAMES) {
        const { can, why } = availability(action, workload(state))
        expect(can ? why === null : (why?.length ?? 0) > 0).toBe(true)
      }
  })

  it('offers nothing that the person may not do', () => {
    expect(availability('delete', workload('running', may('use')))).toMatchObject({ can: false, isAllowed: false })
    expect(availability('park', workload('running', may('use'))).can).toBe(true)
    expect(availability('park', workload('running', may('view'))).can).toBe(false)
  })

  it('opens a session for someone who may only watch, and a notebook not', () => {
    expect(availability('open', workload('running', may('view'), 'session')).can).toBe(true)
    expect(availability('open', workload('running', may('view'), 'notebook')).can).toBe(false)
  })

  it('counts what an action on a selection would touch', () => {
    const selection = [workload('queued'), workload('running'), workload('parking'), workload('running', may('view'))]
    expect(touched('park', selection)).toHaveLength(1)
    expect(touched('delete', selection)).toHaveLength(3)
  })
})
