import fc from 'fast-check'
import { expect, it } from 'vitest'
import { because } from '@/domain/reasons'
import type { WorkloadEvent } from '@/domain/workloads'
import { NOW } from '@/testing/candidates'
import { hasOlder, mergeEvents } from './merge-events'

const event = (seq: number): WorkloadEvent => ({
  ...{ id: `e${seq}`, workloadId: 'w', seq, at: NOW, from: null, to: null, actor: 'person' },
  reason: because('started', {}),
})
/** Rows of an answer: oldest first, as the API gives them. */
const page = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => event(from + i))
const seqs = (events: readonly WorkloadEvent[]) => events.map(({ seq }) => seq)

it.each([
  { what: 'the first page', known: [], next: page(5, 7), seen: [7, 6, 5] },
  { what: 'new entries come on top', known: page(5, 7), next: page(6, 9), seen: [9, 8, 7, 6, 5] },
  { what: 'older ones come below', known: page(5, 7), next: page(3, 4), seen: [7, 6, 5, 4, 3] },
  { what: 'a page that is too new begins again: no hidden hole', known: page(1, 3), next: page(7, 9), seen: [9, 8, 7] },
  { what: 'a page that is too old is not taken', known: page(7, 9), next: page(1, 3), seen: [9, 8, 7] },
])('newest first, without a hole: $what', ({ known, next, seen }) => {
  expect(seqs(mergeEvents(mergeEvents([], known), next))).toEqual(seen)
})

it('what is known stays the same object when a page brings nothing', () => {
  const known = mergeEvents([], page(5, 9))
  expect(mergeEvents(known, page(7, 9))).toBe(known)
  expect(mergeEvents(known, [])).toBe(known)
})

it('holds an unbroken run whatever the order of pages', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 20 }))), (pages) => {
      const known = pages.reduce((all, [from, more]) => mergeEvents(all, page(from, from + more)), mergeEvents([], []))
      expect(seqs(known)).toEqual(seqs(known).map((_, i) => (known[0]?.seq ?? 0) - i))
    }),
  )
})

it('there is something older until the first entry of all is known', () => {
  expect(hasOlder([])).toBe(false)
  expect(hasOlder(mergeEvents([], page(2, 4)))).toBe(true)
  expect(hasOlder(mergeEvents([], page(1, 4)))).toBe(false)
})
