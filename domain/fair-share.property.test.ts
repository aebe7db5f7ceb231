import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decayedUse, type Held } from './fair-share'
import { orderQueue, personKey, type Waiting } from './queue'

const NOW = new Date('2026-03-01T00:00:00Z')
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3_600_000)
const hours = fc.double({ min: 0, max: 400, noNaN: true })
const held = fc
  .record({
    ownerId: fc.constantFrom('a', 'b'),
    cpus: fc.integer({ min: 1, max: 64 }),
    gpus: fc.integer({ min: 0, max: 4 }),
    start: hours,
    length: hours,
    isUp: fc.boolean(),
  })
  .map(({ start, length, isUp, ...one }): Held => {
    return { tenantId: 't', ...one, from: hoursAgo(start), to: isUp ? null : hoursAgo(Math.max(0, start - length)) }
  })
const of = (rows: readonly Held[], key: string) => decayedUse(rows, NOW).get(key) ?? 0

describe('what people used of late', () => {
  const one = (from: number, to: number | null): number =>
    of([{ tenantId: 't', ownerId: 'a', cpus: 1, gpus: 0, from: hoursAgo(from), to: to === null ? null : hoursAgo(to) }], 't/a')

  it('counts half a day later, and nothing behind a week', () => {
    expect(one(25, 24) / one(1, 0)).toBeCloseTo(0.5)
    expect(one(49, 48) / one(1, null)).toBeCloseTo(0.25)
    expect([one(400, 168), one(0, null)]).toEqual([0, 0])
    expect(one(400, null)).toBe(one(168, null))
  })

  it('is never less than nothing nor more than what was held, adds up, and is each person’s own', () => {
    fc.assert(
      fc.property(fc.array(held, { maxLength: 12 }), (rows) => {
        for (const owner of ['a', 'b']) {
          const own = rows.filter((row) => row.ownerId === owner)
          const whole = own.reduce((sum, { cpus, gpus, from, to }) => {
            return sum + (cpus + 8 * gpus) * (((to ?? NOW).getTime() - from.getTime()) / 3_600_000)
          }, 0)
          expect(of(rows, `t/${owner}`)).toBeCloseTo(
            own.reduce((sum, row) => sum + of([row], `t/${owner}`), 0),
            5,
          )
          expect(of(rows, `t/${owner}`)).toBeGreaterThanOrEqual(0)
          expect(of(rows, `t/${owner}`)).toBeLessThanOrEqual(whole + 1e-6)
        }
      }),
    )
  })
})

const waiting = fc.array(
  fc.record({
    tenantId: fc.constantFrom('t', 'u'),
    ownerId: fc.constantFrom('a', 'b', 'c'),
    minutes: fc.integer({ min: 0, max: 5 }),
  }),
  { maxLength: 14 },
)
const queueOf = fc.tuple(waiting, fc.infiniteStream(fc.nat({ max: 30 }))).map(([rows, shares]) => ({
  queue: rows.map(({ minutes, ...w }, i): Waiting => ({ ...w, id: `w${i}`, stateSince: hoursAgo(minutes / 60) })),
  shares: new Map(['t/a', 't/b', 't/c', 'u/a', 'u/b', 'u/c'].map((key) => [key, (shares.next().value ?? 0) / 4])),
}))
const ids = (queue: readonly Waiting[]) => queue.map((w) => w.id)

describe('the order of the queue, whoever waits and whatever they used', () => {
  it('keeps everybody, serves each person in turn, and each tenant as if it were alone', () => {
    fc.assert(
      fc.property(queueOf, ({ queue, shares }) => {
        const order = orderQueue(queue, shares)
        expect(ids(order).toSorted()).toEqual(ids(queue).toSorted())
        for (const key of shares.keys()) {
          const line = order.filter((w) => personKey(w) === key)
          expect(ids(line)).toEqual(ids(orderQueue(line, new Map())))
        }
        for (const tenant of ['t', 'u']) {
          const own = (rows: readonly Waiting[]) => rows.filter((w) => w.tenantId === tenant)
          expect(ids(own(order))).toEqual(ids(orderQueue(own(queue), shares)))
        }
      }),
    )
  })

  it('never lets a person of a tenant go earlier for having used more', () => {
    fc.assert(
      fc.property(queueOf, fc.nat({ max: 20 }), ({ queue, shares }, more) => {
        const own = queue.filter((w) => w.tenantId === 't')
        const before = ids(orderQueue(own, shares))
        const after = ids(orderQueue(own, new Map(shares).set('t/a', (shares.get('t/a') ?? 0) + more)))
        for (const { id, ownerId } of own)
          if (ownerId === 'a') expect(after.indexOf(id)).toBeGreaterThanOrEqual(before.indexOf(id))
      }),
    )
  })
})
