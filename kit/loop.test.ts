import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createLog } from './log'
import { backoffMs, runLoop, Waker } from './loop'

const log = createLog('test', { destination: new Writable({ write: (_chunk, _encoding, done) => done() }) })

describe('the loop', () => {
  it('runs again at once when it is woken during a pass, and never two passes at a time', async () => {
    const waker = new Waker()
    const stop = new AbortController()
    let passes = 0
    let inside = 0
    await runLoop(
      async () => {
        inside += 1
        expect(inside).toBe(1)
        passes += 1
        if (passes < 5) waker.wake()
        else stop.abort()
        await Promise.resolve()
        inside -= 1
      },
      { everyMs: 60_000, signal: stop.signal, log, waker },
    )
    expect(passes).toBe(5)
  })

  it('goes on after a pass that failed', async () => {
    const stop = new AbortController()
    let passes = 0
    await runLoop(
      async () => {
        passes += 1
        if (passes === 3) stop.abort()
        throw new Error('broken')
      },
      { everyMs: 60_000, signal: stop.signal, log, waker: new Waker(), failureDelayMs: 1 },
    )
    expect(passes).toBe(3)
  })
})

it('backoff doubles up to its cap and never exceeds it', () => {
  const bounds = { baseMs: 250, capMs: 30_000 }
  expect(backoffMs(0, bounds, () => 1)).toBe(250)
  expect(backoffMs(3, bounds, () => 1)).toBe(2000)
  expect(backoffMs(1000, bounds, () => 1)).toBe(30_000)
  expect(backoffMs(5, bounds, () => 0)).toBe(0)
})
