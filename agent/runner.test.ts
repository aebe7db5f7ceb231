import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLog } from '@/kit/log'
import type { Action } from './diff'
import { type Executors, Runner } from './runner'
import { sampleSpec } from './testing/sample-spec'

const log = createLog('test', { level: 'silent' })
const runners: Runner[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(runners.splice(0).map((r) => r.close()))
})

/** A runner whose actions end when the test says so, or when they are cut. */
function manual() {
  const begun: { action: Action; end: (error?: Error) => void }[] = []
  const settled: (() => void)[] = []
  const hold = (action: Action, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      begun.push({ action, end: (error) => (error ? reject(error) : resolve()) })
    })
  const execute: Executors = { start: hold, pause: hold, resume: hold, stop: hold, forget: hold }
  const runner = new Runner({ execute, log, onSettled: () => settled.shift()?.() })
  runners.push(runner)
  const nextSettled = () => new Promise<void>((resolve) => settled.push(resolve))
  return { runner, begun, nextSettled, kinds: () => begun.map((b) => b.action.kind) }
}
const spec = sampleSpec()
const start: Action = { kind: 'start', spec }
const stop: Action = { kind: 'stop', instance: spec, how: 'park' }

describe('the runner', () => {
  it('runs one action at a time for each workload', () => {
    const { runner, begun } = manual()
    runner.kick([start, start, { kind: 'start', spec: sampleSpec() }])
    runner.kick([start])
    expect(begun).toHaveLength(2)
    expect(runner.busy()).toHaveLength(2)
  })

  it('runs a bounded number in all; the rest comes with a later pass', async () => {
    const { runner, begun, nextSettled } = manual()
    const many: Action[] = Array.from({ length: 40 }, () => ({ kind: 'start', spec: sampleSpec() }))
    runner.kick(many)
    expect(begun).toHaveLength(16)
    const settled = nextSettled()
    begun[0]?.end()
    await settled
    runner.kick(many.slice(20))
    expect(begun).toHaveLength(17)
  })

  it('lets a stop cut a start short, and runs it with the next pass', async () => {
    const { runner, kinds, nextSettled } = manual()
    runner.kick([start])
    const settled = nextSettled()
    runner.kick([stop])
    await settled
    runner.kick([stop])
    expect(kinds()).toEqual(['start', 'stop'])
  })

  it('lets a removal replace a park, and the same stop go on', async () => {
    const { runner, begun, nextSettled } = manual()
    runner.kick([stop])
    runner.kick([stop])
    expect(begun).toHaveLength(1)
    const settled = nextSettled()
    runner.kick([{ ...stop, how: 'remove' }])
    await settled
    expect(runner.busy()).toEqual([])
  })

  it('holds a failed action back, and comes back to it by itself, whatever the clock says then', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { runner, begun, nextSettled } = manual()
    runner.kick([stop])
    const failed = nextSettled()
    begun[0]?.end(new Error('not now'))
    await failed
    runner.kick([stop])
    expect(begun).toHaveLength(1)
    const again = nextSettled()
    vi.advanceTimersToNextTimer()
    await again
    runner.kick([stop])
    expect(begun).toHaveLength(2)
  })

  it('cuts everything at the end and begins nothing more', async () => {
    const { runner, begun } = manual()
    runner.kick([start])
    await runner.close()
    runner.kick([{ kind: 'start', spec: sampleSpec() }])
    expect(begun).toHaveLength(1)
    expect(runner.busy()).toEqual([])
  })
})
