import { QueryClient } from '@tanstack/react-query'
import { beforeEach, describe, expect, it } from 'vitest'
import type { WorkloadView } from '@/domain/views'
import { viewOf } from '@/testing/workload-view'
import { applyLive, type LiveChange } from './live-patch'

const LIST = [['workloads', 'list'], { input: { mine: true }, type: 'query' }]
const PAGES = [['workloads', 'list'], { input: {}, type: 'infinite' }]
const GET = [['workloads', 'get'], { input: { id: 'a' }, type: 'query' }]
const EVENTS = [['workloads', 'events'], { input: { id: 'a' }, type: 'query' }]
const FIT = [['workloads', 'fit'], { input: { kind: 'notebook' }, type: 'query' }]

function row(id: string, patch: Partial<WorkloadView> = {}): WorkloadView {
  return viewOf({ id, name: id, state: 'provisioning', stateSince: new Date(0), createdAt: new Date(0), ...patch })
}

const change = (workloads: WorkloadView[], rest: Partial<LiveChange> = {}): LiveChange => ({
  counter: 2,
  reset: false,
  workloads,
  machines: null,
  ...rest,
})
const progress = { stage: 'packages', detail: null, done: 3, total: 9, unit: 'packages' } as const

describe('applyLive', () => {
  let client: QueryClient
  const isStale = (key: unknown[]) => client.getQueryState(key)?.isInvalidated
  beforeEach(() => {
    client = new QueryClient()
    client.setQueryData(LIST, { rows: [row('a'), row('b')], nextCursor: null })
    client.setQueryData(PAGES, { pages: [{ rows: [row('c')] }, { rows: [row('a')] }], pageParams: [null, 'c'] })
    client.setQueryData(GET, row('a'))
    client.setQueryData(EVENTS, [])
    client.setQueryData(FIT, {})
  })

  it('patches a row in place, in every list, and leaves the others the same objects', () => {
    const untouched = client.getQueryData<{ rows: WorkloadView[] }>(LIST)?.rows[1]
    applyLive(client, change([row('a', { progress })]))
    const list = client.getQueryData<{ rows: WorkloadView[] }>(LIST)
    expect(list?.rows.map((r) => r.id)).toEqual(['a', 'b'])
    expect(list?.rows[0]?.progress?.done).toBe(3)
    expect(list?.rows[1]).toBe(untouched)
    const pages = client.getQueryData<{ pages: { rows: WorkloadView[] }[] }>(PAGES)
    expect(pages?.pages[1]?.rows[0]?.progress?.done).toBe(3)
    expect(client.getQueryData<WorkloadView>(GET)?.progress?.done).toBe(3)
  })

  it('asks nothing again for mere progress', () => {
    applyLive(client, change([row('a'), row('b'), row('c')]))
    client.setQueryData(FIT, {})
    client.setQueryData(EVENTS, [])
    applyLive(client, change([row('a', { progress })]))
    expect([isStale(FIT), isStale(EVENTS)]).toEqual([false, false])
  })

  it('asks the timeline and what hangs together again when a workload moved', () => {
    applyLive(client, change([row('a', { version: 2, state: 'running' })]))
    expect([isStale(LIST), isStale(EVENTS), isStale(FIT)]).toEqual([true, true, true])
  })

  it('asks a list again when a workload is new to it', () => {
    applyLive(client, change([row('new')]))
    expect([isStale(LIST), isStale(EVENTS)]).toEqual([true, false])
  })

  it('never goes back to an older version', () => {
    client.setQueryData(GET, row('a', { version: 5, state: 'running' }))
    applyLive(client, change([row('a', { version: 4 })]))
    expect(client.getQueryData<WorkloadView>(GET)?.state).toBe('running')
  })

  it('asks everything again after a gap', () => {
    applyLive(client, change([], { reset: true }))
    expect([isStale(LIST), isStale(GET), isStale(EVENTS)]).toEqual([true, true, true])
  })
})
