import { describe, expect, it } from 'vitest'
import type { Workload } from '@/domain/workloads'
import { workloadOf } from '@/testing/workloads'
import { standing } from './workloads'

const inMs = (ms: number) => new Date(Date.now() + ms)

describe('a run that ends by itself is warned of by the command line too', () => {
  it.each<[Partial<Workload>, RegExp]>([
    [{ stopAt: inMs(90_000), stopWhy: 'idle' }, /^parks in 2 min: nothing happens inside; `keep desk` puts it off$/],
    [{ stopAt: inMs(-1), stopWhy: 'limit' }, /^parks in 0 min: its time limit ends$/],
    [{ stopAt: inMs(3_600_000), stopWhy: 'schedule' }, /running/],
    [{ stopAt: inMs(90_000), stopWhy: 'idle', exitCode: 3 }, /exit code 3/],
  ])('%j', (change, said) => {
    const workload = workloadOf({ name: 'desk', state: 'running', ...change })
    expect(standing(workload) ?? 'is running').toMatch(said)
  })
})
