import { describe, expect, it } from 'vitest'
import { STATE_NAMES } from '@/domain/states'
import { listWorkloadsInput } from '@/domain/workloads'
import { countOf, listInput, VIEW_NAMES, VIEWS } from './views'

describe('views of the list', () => {
  it('have a place for every state', () => {
    const shown = new Set(VIEW_NAMES.flatMap((view) => [...VIEWS[view].states]))
    expect(STATE_NAMES.filter((state) => !shown.has(state))).toEqual([])
  })

  it('make an input that the API takes', () => {
    for (const view of VIEW_NAMES) {
      const input = listInput({ view, kind: 'session', text: '  api ' })
      expect(listWorkloadsInput.safeParse(input).success).toBe(true)
      expect(input).toMatchObject({ kinds: ['session'], text: 'api' })
    }
    expect(listInput({ view: 'live', kind: null, text: '' })).toEqual({})
    expect(listInput({ view: 'ended', kind: null, text: '' })).toEqual({
      states: ['removing', 'removed', 'canceled'],
      ended: true,
    })
  })

  it('count by state, and say nothing where the counts do not', () => {
    expect(countOf('running', { running: 2, provisioning: 1, queued: 5 })).toBe(3)
    expect(countOf('mine', { running: 2 })).toBeNull()
    expect(countOf('waiting', undefined)).toBeNull()
  })
})
