import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { WorkloadView } from '@/domain/views'
import { machineViewOf } from '@/testing/machine-view'
import { viewOf } from '@/testing/workload-view'
import { LateReads } from './late-reads'
import { applyLive, type LiveChange } from './live-patch'

const LIST = [['workloads', 'list'], { input: {}, type: 'query' }]
const GET = [['workloads', 'get'], { input: { id: 'a' }, type: 'query' }]
const WHY = [['workloads', 'why'], { input: { id: 'a' }, type: 'query' }]
const OTHER = [['catalog', 'get'], { type: 'query' }]
const MACHINES = [['machines', 'list'], { type: 'query' }]

const row = (id: string, patch: Partial<WorkloadView> = {}) =>
  viewOf({ id, name: id, state: 'provisioning', version: 1, ...patch })
const running = row('a', { state: 'running', version: 2 })

describe('an answer that was read before a change and comes after it', () => {
  let client: QueryClient
  let now: number
  let live: (change: Partial<LiveChange>) => void
  const stateOf = (key: unknown[]) => client.getQueryData<WorkloadView>(key)?.state
  const isStale = (key: unknown[]) => client.getQueryState(key)?.isInvalidated
  /** As a page does that the server made: its data is there from the beginning. */
  const page = (queryKey: unknown[], initialData: unknown) => {
    new QueryObserver(client, { queryKey, initialData, staleTime: 60_000 })
    return Promise.resolve()
  }
  beforeEach(() => {
    client = new QueryClient()
    now = 100_000
    const late = new LateReads(client, () => now)
    late.watch()
    live = (change) => {
      const whole = { counter: 2, reset: false, workloads: [], machines: null, ...change }
      now += 1
      late.note(whole)
      applyLive(client, whole)
    }
  })

  it('shows what is now, when it is a page', async () => {
    live({ workloads: [running] })
    await page(GET, row('a'))
    expect(stateOf(GET)).toBe('running')
  })

  it('shows what is now, when it is the answer to a question', async () => {
    let answer = (_view: WorkloadView) => {}
    const asked = client.fetchQuery({ queryKey: GET, queryFn: () => new Promise<WorkloadView>((resolve) => (answer = resolve)) })
    await Promise.resolve()
    live({ workloads: [running] })
    answer(row('a'))
    await asked
    await Promise.resolve()
    expect(stateOf(GET)).toBe('running')
  })

  it('is asked again where it may lack a row, or hangs on all that moved', async () => {
    live({ workloads: [running] })
    await page(LIST, { rows: [row('b')] })
    await page(WHY, {})
    await page(OTHER, {})
    expect([isStale(LIST), isStale(WHY), isStale(OTHER)]).toEqual([true, true, false])
  })

  it('shows the machines of now', async () => {
    const machines = [machineViewOf('atlas', { isConnected: false })]
    live({ machines })
    await page(MACHINES, [machineViewOf('atlas', { isConnected: true })])
    expect(client.getQueryData(MACHINES)).toEqual(machines)
  })

  it('is not asked twice when it was asked because of the change', async () => {
    let asked = 0
    const query = { queryKey: OTHER, queryFn: async () => ++asked }
    const stop = new QueryObserver(client, query).subscribe(() => {})
    await client.fetchQuery(query)
    live({ reset: true })
    await vi.waitFor(() => expect(client.isFetching()).toBe(0))
    expect(asked).toBe(2)
    stop()
  })

  it('is asked again when changes were missed meanwhile', async () => {
    live({ reset: true })
    await page(GET, row('a'))
    expect(isStale(GET)).toBe(true)
  })

  it('is left alone when nothing changed since, and never goes back', async () => {
    live({ reset: true, workloads: [running] })
    now += 60_000
    await page(GET, row('a', { state: 'parked', version: 9 }))
    await page(LIST, { rows: [row('b')] })
    expect([stateOf(GET), isStale(GET), isStale(LIST)]).toEqual(['parked', false, false])
    live({ workloads: [running] })
    expect(stateOf(GET)).toBe('parked')
  })
})
