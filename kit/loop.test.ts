import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createLog } from './log'
import { backoffMs, runLoop, Waker } from './loop'

const log = createLog('test', { level: 'silent' })

/** Runs a loop whose passes do what the test says, until it aborts. */
function looping(onPass: (pass: number, end: () => void, waker: Waker) => void | Promise<void>) {
  const abort = new AbortController()
  const waker = new Waker()
  let passes = 0
  const pass = async () => {
    passes += 1
    await onPass(passes, () => abort.abort(), waker)
  }
  const ended = runLoop(pass, { everyMs: 60_000, signal: abort.signal, log, waker, failureDelayMs: 1 })
  return { ended, passes: () => passes, signal: abort.signal }
}

describe('a loop', () => {
  it('never misses a wake-up that comes during a pass', async () => {
    const loop = looping((pass, end, waker) => (pass === 100 ? end() : waker.wake()))
    await loop.ended
    expect(loop.passes()).toBe(100)
  })

  it('leaves no timers or listeners behind, however often it is woken', async () => {
    let listeners = 0
    const loop = looping((pass, end, waker) => {
      listeners = Math.max(listeners, getEventListeners(loop.signal, 'abort').length)
      if (pass === 50) end()
      else waker.wake()
    })
    await loop.ended
    expect(listeners).toBeLessThan(3)
  })

  it('goes on after a pass that failed', async () => {
    const loop = looping((pass, end) => {
      if (pass === 3) end()
      throw new Error('broken')
    })
    await loop.ended
    expect(loop.passes()).toBe(3)
  })
})

describe('a backoff', () => {
  it('X27: grows with each attempt and stays under its cap', () => {
    const most = (attempt: number) => backoffMs(attempt, { baseMs: 100, capMs: 1000 }, () => 1)
    expect([0, 1, 2, 3, 4, 100].map(most)).toEqual([100, 200, 400, 800, 1000, 1000])
    expect(backoffMs(3, { baseMs: 100, capMs: 1000 }, () => 0)).toBe(0)
  })
})
