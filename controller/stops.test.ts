import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_SETTINGS, type Workload, type WorkloadSettings } from '@/domain/workloads'
import { NOW } from '@/testing/candidates'
import { placedOf } from '@/testing/workloads'
import { planStop, ShownStops, type StopDecision } from './stops'

const MINUTE = 60_000
const at = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE)

/** A run that came up at minute 0. */
function run(settings: Partial<WorkloadSettings>, change: Partial<Workload> = {}): Workload {
  return placedOf({ state: 'running', settings: { ...NO_SETTINGS, ...settings }, stateSince: NOW, ...change }, { createdAt: NOW })
}
const brief = (d: StopDecision) =>
  d.kind === 'plan' ? [d.stopWhy, (d.stopAt.getTime() - NOW.getTime()) / MINUTE, d.isTold ? 'told' : 'moved'].join(' ') : d.kind
const decide = (w: Workload, minute: number, missing = 0) => brief(planStop(w, at(minute), missing * MINUTE))

const IDLE = { idleMinutes: 60 }
const planned = (stopWhy: 'idle' | 'limit' | 'schedule', minute: number) => ({ stopWhy, stopAt: at(minute) })
const DAILY = { parkAt: { cron: '0 20 * * *', timeZone: 'Europe/Berlin' } }
/** NOW is 11:00 in Berlin; 20:00 there is so many minutes away. */
const EVENING = 540

describe('the end of a run by itself', () => {
  it.each<[string, Workload, number, string, number?]>([
    ['nothing is set: never', run({}), 100_000, 'none'],
    ['idle, long before', run(IDLE), 49, 'none'],
    ['idle: warned ten minutes before', run(IDLE), 50, 'idle 60 told'],
    ['idle, warned: nothing more until its time', run(IDLE, planned('idle', 60)), 59, 'none'],
    ['idle, warned, its time has come: parked', run(IDLE, planned('idle', 60)), 60, 'park'],
    ['idle, its time has come, but nobody saw the warning: put off', run(IDLE, planned('idle', 60)), 60, 'idle 67 moved', 7],
    ['idle, found late: warned for the whole of ten minutes', run(IDLE), 300, 'idle 310 told'],
    ['busy meanwhile: canceled', run(IDLE, { ...planned('idle', 60), lastBusyAt: at(55) }), 56, 'cancel'],
    ['opened meanwhile: canceled', run(IDLE, { ...planned('idle', 60), lastOpenedAt: at(55) }), 56, 'cancel'],
    [
      'busy within the shortest period: moved, not told again',
      run({ idleMinutes: 10 }, { ...planned('idle', 10), lastBusyAt: at(5) }),
      11,
      'idle 15 moved',
    ],
    ['the shortest period: not warned in its first half', run({ idleMinutes: 10 }), 4, 'none'],
    ['the shortest period: warned at its half', run({ idleMinutes: 10 }), 5, 'idle 10 told'],
    ['the shortest period, found late: warned for half of it', run({ idleMinutes: 10 }), 300, 'idle 305 told'],
    ['the shortest period, kept: quiet again', run({ idleMinutes: 10 }, { lastBusyAt: at(6) }), 6, 'none'],
    ['a short period: warned at its half', run({ idleMinutes: 16 }), 8, 'idle 16 told'],
    ['twice the warning: warned at its half', run({ idleMinutes: 20 }), 10, 'idle 20 told'],
    ['kept: canceled as after activity', run(IDLE, { lastBusyAt: at(52), stopAt: null, stopWhy: null }), 53, 'none'],
    ['settings taken away: canceled', run({}, planned('idle', 60)), 55, 'cancel'],
    [
      'limit: counts from its start, whatever happens inside',
      run({ limitMinutes: 120 }, { lastBusyAt: at(111) }),
      111,
      'limit 121 told',
    ],
    ['limit: parked', run({ limitMinutes: 120 }, planned('limit', 121)), 121, 'park'],
    [
      'limit comes before idle: told for that',
      run({ idleMinutes: 60, limitMinutes: 55 }, planned('idle', 60)),
      56,
      'limit 66 told',
    ],
    ['schedule: warned ten minutes before, in its time zone', run(DAILY), EVENING - 10, `schedule ${EVENING} told`],
    ['schedule, long before', run(DAILY), EVENING - 11, 'none'],
    ['schedule: parked at its time', run(DAILY, planned('schedule', EVENING)), EVENING, 'park'],
    ['schedule that was missed: the next one', run(DAILY), EVENING + 1, 'none'],
    ['a schedule that no clock follows: never', run({ parkAt: { cron: 'often', timeZone: 'Mars' } }), 1, 'none'],
    ['frozen counts as idle', { ...run(IDLE), state: 'paused' }, 50, 'idle 60 told'],
  ])('%s', (...[, workload, minute, expected, missing]) => {
    expect(decide(workload, minute, missing)).toBe(expected)
  })
})

/** One run under a controller that looks every thirty seconds, while the wall's clock jumps as it likes. */
function live(settings: Partial<WorkloadSettings>, jumps: ReadonlyMap<number, number>, restarts: ReadonlySet<number>) {
  let [elapsed, wall] = [0, NOW.getTime()]
  let shown = new ShownStops(() => elapsed)
  let w = run(settings)
  let warnedSince: number | null = null
  const told: number[] = []
  for (let look = 0; look < 400; look++) {
    elapsed += 30_000
    wall += 30_000 + (jumps.get(look) ?? 0)
    if (restarts.has(look)) shown = new ShownStops(() => elapsed)
    const missing = shown.update([w], new Date(wall)).get(w.id) ?? Number.POSITIVE_INFINITY
    const decision = planStop(w, new Date(wall), missing)
    if (decision.kind === 'park') return { warnedMs: elapsed - (warnedSince ?? elapsed), told: told.length, elapsed }
    if (decision.kind === 'plan' && decision.isTold) told.push(elapsed)
    if (decision.kind === 'plan') warnedSince ??= elapsed
    if (decision.kind === 'cancel') warnedSince = null
    if (decision.kind === 'plan') w = { ...w, stopAt: decision.stopAt, stopWhy: decision.stopWhy }
    if (decision.kind === 'cancel') w = { ...w, stopAt: null, stopWhy: null }
  }
  return null
}

describe('X31: a run that ends by itself', () => {
  it('is warned once and parked ten minutes later, when no clock jumps', () => {
    // One look later at the most: the first that sees the warning is the one after it was written.
    expect(live({ idleMinutes: 30 }, new Map(), new Set())).toEqual({ warnedMs: 10.5 * MINUTE, told: 1, elapsed: 30.5 * MINUTE })
  })

  it('of the shortest period is warned for its second half, and told once', () => {
    expect(live({ idleMinutes: 10 }, new Map(), new Set())).toEqual({ warnedMs: 5.5 * MINUTE, told: 1, elapsed: 10.5 * MINUTE })
  })

  it.each([60, -60])(
    'is never parked before its warning was shown for ten minutes, when the clock jumps by %i minutes',
    (jump) => {
      const settings = [{ idleMinutes: 30 }, { limitMinutes: 60 }, { parkAt: { cron: '0 12 * * *', timeZone: 'Europe/Berlin' } }]
      for (let look = 0; look < 120; look++) {
        const end = live(settings[look % 3] ?? {}, new Map([[look, jump * MINUTE]]), new Set())
        expect(end?.warnedMs ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(10 * MINUTE)
      }
    },
  )

  it('is never parked early by any jumps and restarts of the controller, and always in the end', () => {
    const jump = fc.tuple(fc.integer({ min: 0, max: 120 }), fc.integer({ min: -90, max: 90 }))
    fc.assert(
      fc.property(
        fc.array(jump, { maxLength: 4 }),
        fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 4 }),
        (jumps, restarts) => {
          const end = live({ idleMinutes: 20 }, new Map(jumps.map(([look, m]) => [look, m * MINUTE])), new Set(restarts))
          if (end) expect(end.warnedMs).toBeGreaterThanOrEqual(10 * MINUTE)
          else expect(jumps.some(([, m]) => m < 0)).toBe(true)
        },
      ),
      // Two jumps in a row: the second while the end is written down anew because of the first.
      {
        numRuns: 300,
        examples: [
          [
            [
              [20, 10],
              [21, 1],
            ],
            [],
          ],
        ],
      },
    )
  })
})
