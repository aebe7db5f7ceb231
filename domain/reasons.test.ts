import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { because, REASON_CODES, REASONS, reasonSeverity, reasonText } from './reasons'
import { waitsForRoom } from './reasons-of-waiting'

describe('reasons', () => {
  it('always have a text, also with stripped or foreign arguments', () => {
    fc.assert(
      fc.property(fc.constantFrom(...REASON_CODES), fc.dictionary(fc.string(), fc.anything()), (code, args) => {
        expect(reasonText({ code, args }).length).toBeGreaterThan(0)
      }),
    )
  })

  it('of another version never break a page', () => {
    expect(reasonText({ code: 'from_the_future', args: {} })).toBe('for a reason that this version does not know')
    expect(reasonSeverity('from_the_future')).toBe('info')
  })

  it.each([
    [because('waiting_cpu', { asked: 1, free: 0, total: 2 }), true],
    [because('waiting_cpu', { asked: 4, free: 2, total: 2 }), false],
    [because('waiting_memory', { askedBytes: 9, freeBytes: 1, totalBytes: 8 }), false],
    [{ code: 'waiting_disk', args: { askedBytes: 9 } }, true],
    [because('waiting_no_gpus', { machines: 1 }), false],
  ])('%j waits for room that others hold: %s', (reason, isForRoom) => expect(waitsForRoom(reason)).toBe(isForRoom))

  it('hide only arguments that they have', () => {
    for (const code of REASON_CODES) {
      const row: { args: { shape: Record<string, unknown> }; operatorOnly?: readonly string[] } = REASONS[code]
      for (const name of row.operatorOnly ?? []) expect(Object.keys(row.args.shape)).toContain(name)
    }
  })

  it('read as one plain sentence', () => {
    expect(reasonText(because('waiting_cpu', { asked: 4, free: 1, total: 2 }))).toContain(
      'largest machine that could take it has 2',
    )
    expect(reasonText(because('retry_vanished', { machine: 'rack-1', attempt: 2 }))).toBe(
      'rack-1 does not have it; back in the queue (attempt 2)',
    )
  })
})
