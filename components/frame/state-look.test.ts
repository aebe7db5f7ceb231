import { describe, expect, it } from 'vitest'
import { because, REASON_CODES } from '@/domain/reasons'
import { STATE_NAMES } from '@/domain/states'
import { STATE_LOOK, stateLook } from './state-look'

describe('stateLook', () => {
  it('gives every state a word of its own', () => {
    const words = STATE_NAMES.map((s) => STATE_LOOK[s].word)
    expect(new Set(words).size).toBe(STATE_NAMES.length)
  })

  it('says what a waiting workload waits for', () => {
    const reason = because('waiting_all_busy', { class: 'l40s-48gb', devices: 2, free: 0, machines: 3, position: 2 })
    expect(stateLook({ state: 'queued', reason }).word).toBe('Waiting for a GPU')
  })

  it('names the machine that holds the workspace', () => {
    expect(stateLook({ state: 'queued', reason: because('waiting_machine_away', { machine: 'mara-mbp' }) }).word).toBe(
      'Waiting for mara-mbp',
    )
  })

  it('does not break when the machine was stripped from the reason', () => {
    expect(stateLook({ state: 'queued', reason: { code: 'waiting_machine_away', args: {} } }).word).toBe(
      'Waiting for its machine',
    )
  })

  it('keeps the word of a state that is not waiting, whatever its reason', () => {
    expect(stateLook({ state: 'running', reason: because('waiting_no_gpus', { machines: 1 }) }).word).toBe('Running')
  })

  it('has words for every code that a wait can have', () => {
    const waits = REASON_CODES.filter((c) => c.startsWith('waiting_') && c !== 'waiting_first_look')
    for (const code of waits)
      expect(stateLook({ state: 'queued', reason: { code, args: {} } }).word, code).toMatch(/^Waiting for /)
  })
})
