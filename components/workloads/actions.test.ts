import { describe, expect, it } from 'vitest'
import type { Inventory } from '@/domain/machines'
import type { Action } from '@/domain/permissions'
import { isAllowed, ACTIONS as PERMISSIONS } from '@/domain/permissions'
import { canMove, isTerminal, STATE_NAMES, type State } from '@/domain/states'
import { machineViewOf } from '@/testing/machine-view'
import { viewOf } from '@/testing/workload-view'
import { placementOf } from '@/testing/workloads'
import { ACTIONS, availability, canFreeze, STARTS, touched, type WorkloadAction } from './actions'

const ALL = Object.keys(PERMISSIONS) as Action[]
const may = (relation: 'own' | 'use' | 'view') => ALL.filter((action) => isAllowed('member', relation, action))
const workload = (state: State, allowed: readonly Action[] = ALL, kind: 'notebook' | 'session' = 'notebook') =>
  viewOf({ state, may: allowed, kind })
const statesOf = (action: WorkloadAction) => STATE_NAMES.filter((state) => availability(action, workload(state)).can)

describe('what can be done with a workload', () => {
  it('offers a move only where the state table has it', () => {
    expect(statesOf('park').filter((state) => !canMove(state, 'parking'))).toEqual([])
    for (const action of STARTS) expect(statesOf(action).every((s) => canMove(s, 'queued') || canMove(s, 'running'))).toBe(true)
    expect(statesOf('pause').filter((state) => !canMove(state, 'paused'))).toEqual([])
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

  it('restarts what failed, and what is up without its program: never what works', () => {
    expect(availability('restart', workload('failed')).can).toBe(true)
    expect(availability('restart', viewOf({ state: 'running', may: ALL, exitCode: 0 })).can).toBe(true)
    expect(availability('restart', workload('running')).can).toBe(false)
  })

  it('renews only what runs in an older version of Berth', () => {
    const placement = placementOf(workload('running'), { needsRestart: true })
    expect(availability('renew', viewOf({ state: 'running', may: ALL, placement })).can).toBe(true)
    expect(availability('renew', viewOf({ state: 'running', may: may('view'), placement })).can).toBe(false)
    expect(statesOf('renew')).toEqual([])
  })

  it('takes back a pause that is under way, and offers no second one', () => {
    const placement = placementOf(workload('running'), { want: 'pause' })
    const pausing = viewOf({ state: 'running', may: ALL, placement })
    expect([availability('pause', pausing).can, availability('resume', pausing).can]).toEqual([false, true])
    expect([availability('pause', workload('running')).can, availability('resume', workload('running')).can]).toEqual([
      true,
      false,
    ])
  })

  it('pauses only where the driver of its machine can', () => {
    const placement = placementOf(workload('running'), { machineId: 'atlas', driver: 'sim' })
    const offer = { row: 'sim', works: true, detail: null, fix: null } as const
    const atlas = (drivers: Inventory['drivers']) => {
      const { inventory } = machineViewOf('atlas')
      return [machineViewOf('atlas', { id: 'atlas', inventory: inventory && { ...inventory, drivers } })]
    }
    expect(canFreeze({ placement }, atlas([{ ...offer, canPause: true }]))).toBe(true)
    expect(canFreeze({ placement }, atlas([{ ...offer, canPause: false }]))).toBe(false)
    expect(canFreeze({ placement }, [])).toBe(false)
  })

  it('keeps only what an idle stop is near of', () => {
    expect(availability('keep', viewOf({ may: ALL, stopWhy: 'idle' })).can).toBe(true)
    expect(availability('keep', viewOf({ may: ALL, stopWhy: 'limit' })).can).toBe(false)
  })

  it('counts what an action on a selection would touch', () => {
    const selection = [workload('queued'), workload('running'), workload('parking'), workload('running', may('view'))]
    expect(touched('park', selection)).toHaveLength(1)
    expect(touched('delete', selection)).toHaveLength(3)
  })
})
