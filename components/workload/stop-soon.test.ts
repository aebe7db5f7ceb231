import { expect, it } from 'vitest'
import { NOW } from '@/testing/candidates'
import { viewOf } from '@/testing/workload-view'
import { stopSoon } from './stop-soon'

const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)
const idle = { stopWhy: 'idle', lastBusyAt: at(-52) } as const

it.each([
  ['nothing is planned', {}, null],
  ['it is far away', { ...idle, stopAt: at(40) }, null],
  ['it is near', { ...idle, stopAt: at(8) }, 'Parks in 8 min'],
  ['it is a matter of seconds', { ...idle, stopAt: at(0.5) }, 'Parks in 30 s'],
  ['its time has come', { ...idle, stopAt: at(-1) }, 'Parks now'],
  ['it does not run any more', { ...idle, state: 'parking', stopAt: at(8) }, null],
  ['a limit ends', { stopWhy: 'limit', stopAt: at(3) }, 'Parks in 3 min'],
] as const)('a stop is announced when it is near: %s', (_, patch, title) => {
  expect(stopSoon(viewOf(patch), NOW.getTime())?.title ?? null).toBe(title)
})

it('says since when nothing happened, and that only an idle stop can be put off', () => {
  expect(stopSoon(viewOf({ ...idle, stopAt: at(8) }), NOW.getTime())).toMatchObject({
    why: 'Nothing happened inside for 52 min. Its workspace is kept.',
    canKeep: true,
  })
  expect(stopSoon(viewOf({ stopWhy: 'schedule', stopAt: at(8) }), NOW.getTime())?.canKeep).toBe(false)
})
