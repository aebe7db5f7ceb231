import { describe, expect, it, vi } from 'vitest'
import type { WorkloadBackend } from '@/backends/backend'
import { FakeBackend } from '@/backends/fake/fake-backend'
import { AppError } from '@/domain/errors'
import { because } from '@/domain/reasons'
import { createLog } from '@/kit/log'
import { CATALOG, NOW } from '@/testing/candidates'
import { placedOf } from '@/testing/workloads'
import { instanceOf } from './facts'
import { StepRunner } from './runner'
import { StartRecord } from './start-record'
import type { Step } from './step'

type Verb = WorkloadBackend['park']

const log = createLog('test', { level: 'silent' })

/** A runner whose backend's `park` does what the test says; milliseconds pass by hand. */
function runnerWith(park: Verb) {
  let elapsed = 0
  const backend: WorkloadBackend = Object.assign(new FakeBackend(async () => 'box'), { park })
  const woken = vi.fn<() => void>()
  const runner = new StepRunner({
    // Only steps that touch no store are run here.
    ctx: {
      db: {} as never,
      backend,
      catalog: CATALOG,
      now: () => NOW,
      newId: () => 'id',
      epoch: () => 1,
      starts: new StartRecord(log),
    },
    log,
    random: () => 1,
    onSettled: woken,
    elapsedMs: () => elapsed,
  })
  const pass = (ms: number) => {
    elapsed += ms
  }
  return { runner, woken, pass }
}

const parkStep = (): Step => ({
  kind: 'end',
  how: 'park',
  instance: instanceOf(placedOf().placement),
  reason: because('parked', {}),
})

describe('a runner of steps', () => {
  it('does not repeat what a machine just accepted, until its time is up', async () => {
    const park = vi.fn<Verb>(async () => undefined)
    const { runner, woken, pass } = runnerWith(park)
    const step = parkStep()
    await runner.run([step])
    await runner.run([step])
    expect(park).toHaveBeenCalledTimes(1)
    expect(woken).toHaveBeenCalledTimes(1)
    pass(2000)
    await runner.run([step])
    expect(park).toHaveBeenCalledTimes(2)
    await runner.close()
  })

  it('waits longer after each failure, and never gives up', async () => {
    const park = vi.fn<Verb>(async () => Promise.reject(new Error('broken')))
    const { runner, pass } = runnerWith(park)
    const step = parkStep()
    const tries = async (ms: number) => {
      pass(ms)
      await runner.run([step])
      return park.mock.calls.length
    }
    expect([await tries(0), await tries(999), await tries(1)]).toEqual([1, 1, 2])
    expect([await tries(1999), await tries(1)]).toEqual([2, 3])
    expect([await tries(30_000), await tries(30_000)]).toEqual([4, 5])
    await runner.close()
  })

  it('looks again at once when the row had moved on', async () => {
    const park = vi.fn<Verb>(async () => Promise.reject(new AppError('conflict', { why: 'moved' })))
    const { runner } = runnerWith(park)
    const step = parkStep()
    await runner.run([step])
    await runner.run([step])
    expect(park).toHaveBeenCalledTimes(2)
    await runner.close()
  })

  it('lets a slow machine hold up nobody', async () => {
    const slow = parkStep()
    const asked: string[] = []
    const { runner } = runnerWith(async (instance, signal) => {
      asked.push(instance.placementId)
      const isSlow = slow.kind === 'end' && instance.placementId === slow.instance.placementId
      if (isSlow) await new Promise((_, reject) => signal.addEventListener('abort', reject))
    })
    await runner.run([slow])
    const quick = parkStep()
    await runner.run([slow, quick])
    expect(asked).toHaveLength(2)
    await runner.close()
  })

  it('runs the steps of one workload in order, and none after one that failed', async () => {
    const w = placedOf()
    const calls: string[] = []
    const { runner } = runnerWith(async () => {
      calls.push('park')
      throw new Error('broken')
    })
    const instance = instanceOf(w.placement)
    const reason = because('parked', {})
    await runner.run([
      { kind: 'end', how: 'park', instance, reason },
      { kind: 'end', how: 'destroy', instance, reason },
    ])
    expect(calls).toEqual(['park'])
    await runner.close()
  })

  it('begins nothing once it is closed', async () => {
    const park = vi.fn<Verb>(async () => undefined)
    const { runner } = runnerWith(park)
    await runner.close()
    await runner.run([parkStep()])
    expect(park).not.toHaveBeenCalled()
  })
})
