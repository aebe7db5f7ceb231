import { describe, expect, it } from 'vitest'
import { because, REASON_CODES } from '@/domain/reasons'
import type { WorkloadEvent } from '@/domain/workloads'
import { eventWords } from './timeline-words'

const event = (patch: Partial<WorkloadEvent>): WorkloadEvent => ({
  id: '1',
  workloadId: 'w',
  seq: 1,
  at: new Date('2026-03-12T14:36:00Z'),
  from: null,
  to: null,
  reason: because('started', {}),
  actor: 'controller',
  ...patch,
})

describe('a line of the timeline', () => {
  it('says what moved and who moved it, and names a person only once', () => {
    const placed = event({ reason: because('placed', { machine: 'rack-1' }), from: 'queued', to: 'provisioning' })
    expect(eventWords(placed)).toMatchObject({ text: 'Placed on rack-1', detail: 'Waiting → Starting · by the controller' })
    const parked = event({ reason: because('parked_by_person', { person: 'Mara' }), actor: 'person' })
    expect(eventWords(parked)).toMatchObject({ text: 'Parked by Mara', detail: null })
  })

  it('uses the words of the page for a stage', () => {
    const stage = event({ reason: because('stage', { stage: 'packages' }), actor: 'machine' })
    expect(eventWords(stage).text).toBe('Installing packages')
    expect(eventWords(event({ reason: because('stage', { stage: 'other' }) })).text).toBe('Other')
  })

  it('has words for every code, also one whose arguments were stripped', () => {
    for (const code of REASON_CODES) expect(eventWords(event({ reason: { code, args: {} } })).text.length).toBeGreaterThan(0)
  })
})
