import Database from 'better-sqlite3'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import { FakeBackend } from '@/backends/fake/fake-backend'
import { systemClock } from '@/kit/clock'
import { createLog } from '@/kit/log'
import { Waker } from '@/kit/loop'
import { parkWorkload } from '@/server/service/operations'
import { createWorkload } from '@/server/service/workloads'
import { listEvents } from '@/server/store/events'
import { askedOf } from '@/server/store/system/observing'
import { workloadById } from '@/server/store/system/workloads'
import { CATALOG } from '@/testing/candidates'
import { closeDatabase, freshDatabase, PROVIDERS, type Provider } from '@/testing/databases'
import { createInput, ctxFor, seedMachine, seedTenant } from '@/testing/seed'
import { until } from '@/testing/until'
import { ControllerLease } from './lease'
import { runControllerLoop } from './loop'
import { Reconciler } from './reconcile'

/** A log that can be read. */
function listening() {
  const lines: string[] = []
  const log = createLog('test', { destination: { write: (line) => lines.push(line) } })
  return { log, hasSaid: (text: string) => lines.some((line) => line.includes(text)) }
}

/** Takes a database away; the answer gives it back. */
const OUTAGES: Record<Provider, (url: string) => Promise<() => Promise<void>>> = {
  // Another process holds the write lock, as a copy or a long migration does.
  sqlite: async (url) => {
    const other = new Database(url.slice('file:'.length))
    other.exec('BEGIN IMMEDIATE')
    return async () => {
      other.exec('ROLLBACK')
      other.close()
    }
  },
  postgres: closeDatabase,
}

describe.each(PROVIDERS)('I1 I10 X34 X37 X38: a controller whose database is away, on %s,', (provider) => {
  it('says so, waits, goes on by itself, and loses nothing that was acknowledged', async () => {
    const { db, url, drop } = await freshDatabase(provider)
    const seed = await seedTenant(db)
    await seedMachine(db, seed)
    const ctx = ctxFor(db, seed, { now: () => systemClock.now() })
    const backend = new FakeBackend(async (id) => (await askedOf(db, [id])).get(id)?.machine?.id ?? null)
    const [waker, abort, { hasSaid, log }] = [new Waker(), new AbortController(), listening()]
    const lease = new ControllerLease({ db, clock: systemClock })
    const deps = { db, backend, catalog: CATALOG, lease, clock: systemClock, log, newId: () => uuidv7(), random: () => 0 }
    const reconciler = new Reconciler({ ...deps, wake: () => waker.wake() })
    const loop = runControllerLoop((s) => reconciler.pass(s), { db, log, waker, signal: abort.signal })
    const stateOf = async (id: string) => (await workloadById(db, id))?.state
    const { id } = await createWorkload(ctx, createInput())
    await until('up', async () => (await stateOf(id)) === 'running')
    const later = await createWorkload(ctx, createInput())
    await parkWorkload(ctx, id)
    const giveBack = await OUTAGES[provider](url)
    if (provider === 'postgres') await until('said', () => hasSaid('pass failed'))
    else await waitFor(1500)
    await giveBack()
    await until('parked', async () => (await stateOf(id)) === 'parked')
    await until('the other is up', async () => (await stateOf(later.id)) === 'running')
    const events = await listEvents(db, ctx.tenantId, { workloadId: id, afterSeq: 0, limit: 100 })
    expect(events.map((e) => e.seq)).toEqual(events.map((_, i) => i + 1))
    expect(events.flatMap((e) => e.to ?? [])).toEqual(['queued', 'provisioning', 'running', 'parking', 'parked'])
    abort.abort()
    await loop
    await reconciler.close()
    await drop()
  })
})

/** The lock is held for as long as it is: nothing could be looked for meanwhile. */
const waitFor = (ms: number) =>
  until(
    'held',
    (() => {
      const end = performance.now() + ms
      return () => performance.now() > end
    })(),
  )
