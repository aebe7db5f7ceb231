import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { State } from './states'
import { canMove, isTerminal, STATE_NAMES, STATES } from './states'

/** The moves of the design, written out once more: a change of the table must be meant. */
const MOVES: Record<State, readonly State[]> = {
  queued: ['provisioning', 'canceled', 'removing'],
  provisioning: ['running', 'queued', 'failed', 'lost', 'removing'],
  running: ['paused', 'parking', 'parked', 'failed', 'lost', 'removing'],
  paused: ['running', 'parking', 'parked', 'lost', 'removing'],
  parking: ['parked', 'lost', 'removing'],
  parked: ['queued', 'removing'],
  removing: ['removed'],
  failed: ['queued', 'removing'],
  lost: ['queued', 'running', 'removing'],
  removed: [],
  canceled: [],
}

describe('the states of a workload', () => {
  it('allow exactly the moves of the design', () => {
    for (const from of STATE_NAMES)
      expect(STATE_NAMES.filter((to) => canMove(from, to))).toEqual(STATE_NAMES.filter((to) => MOVES[from].includes(to)))
  })

  it('name only states of the table, and never the state itself', () => {
    for (const name of STATE_NAMES) {
      for (const to of STATES[name].next) expect(STATE_NAMES).toContain(to)
      expect(canMove(name, name)).toBe(false)
    }
  })

  it('accept a delete from every state that is not terminal', () => {
    for (const name of STATE_NAMES.filter((n) => !isTerminal(n) && n !== 'removing'))
      expect(canMove(name, 'removing') || canMove(name, 'canceled')).toBe(true)
  })

  it('have a way out of every transitional state, and only terminal ones have none', () => {
    expect(STATE_NAMES.filter(isTerminal)).toEqual(['removed', 'canceled'])
    for (const name of STATE_NAMES) if (STATES[name].transitional) expect(isTerminal(name)).toBe(false)
  })

  it('keep every sequence of accepted moves inside the table, and a terminal state for ever', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...STATE_NAMES), { maxLength: 40 }), (wishes) => {
        let state: State = 'queued'
        let ended: State | null = null
        for (const wish of wishes) {
          if (canMove(state, wish)) state = wish
          if (ended) expect(state).toBe(ended)
          if (isTerminal(state)) ended = state
          expect(STATE_NAMES).toContain(state)
        }
      }),
    )
  })

  it('meter only what holds a machine', () => {
    for (const name of STATE_NAMES) if (STATES[name].metered === 'yes') expect(STATES[name].placed).toBe('yes')
  })
})
