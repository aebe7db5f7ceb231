import { describe, expect, it } from 'vitest'
import { because } from '@/domain/reasons'
import { STATE_NAMES } from '@/domain/states'
import type { WorkloadView } from '@/domain/views'
import { viewOf } from '@/testing/workload-view'
import { factsOf } from './facts'

const NOW = Date.UTC(2026, 2, 12, 14, 36)
const ago = (seconds: number) => new Date(NOW - seconds * 1000)
const reach = { machineId: 'm', machineName: 'rack-1', isConnected: true, lastContactAt: ago(2) }

function view(patch: Partial<WorkloadView>): WorkloadView {
  const facts = { kind: 'session', name: 'api', workloadGen: 3, stateSince: ago(3600 * 5), createdAt: ago(9e4) } as const
  return viewOf({ ...facts, reach, ...patch })
}

describe('the three facts', () => {
  it('keep a running state beside an ended process', () => {
    const facts = factsOf(view({ exitCode: 1 }), NOW)
    expect(facts.state).toMatchObject({ value: 'Running', detail: 'for 5 h, generation 3' })
    expect(facts.process).toEqual({ value: 'Ended', detail: 'exit code 1', tone: 'bad' })
    expect(facts.reach).toMatchObject({ value: 'Reachable', detail: 'rack-1 answered 2 s ago' })
  })

  it('keep a running state beside a silent machine', () => {
    const facts = factsOf(view({ reach: { ...reach, isConnected: false, lastContactAt: ago(48) } }), NOW)
    expect(facts.state.value).toBe('Running')
    expect(facts.process.value).toBe('Up')
    expect(facts.reach).toEqual({ value: 'Silent', detail: 'rack-1 for 48 s; nothing is stopped', tone: 'warn' })
  })

  it('say when the reason of a wait was last checked, and when that is too long ago', () => {
    const reason = because('waiting_all_busy', { class: 'l40s-48gb', devices: 2, free: 1, machines: 3, position: 2 })
    const waiting = view({ state: 'queued', reason, reach: null, reasonAt: ago(4) })
    expect(factsOf(waiting, NOW).state.detail).toBe('for l40s-48gb: asked 2, 1 free on 3 machines; number 2 in the queue')
    expect(factsOf(waiting, NOW).reach).toMatchObject({ value: 'No machine yet', detail: 'checked 4 s ago' })
    expect(factsOf({ ...waiting, reasonAt: ago(61) }, NOW).reach).toMatchObject({ detail: 'not checked for 1 min', tone: 'warn' })
  })

  it('have words in every state', () => {
    for (const state of STATE_NAMES) {
      const facts = factsOf(view({ state }), NOW)
      expect([facts.state.value, facts.process.value, facts.reach.value].every((value) => value.length > 0)).toBe(true)
    }
  })
})
