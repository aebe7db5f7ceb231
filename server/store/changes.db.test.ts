import { expect, it } from 'vitest'
import { because } from '@/domain/reasons'
import { note } from '@/server/service/transition'
import { createWorkload } from '@/server/service/workloads'
import { freshDatabase, PROVIDERS } from '@/testing/databases'
import { createInput, ctxFor, seedTenant } from '@/testing/seed'
import { watchChanges } from './changes'
import { readCounter } from './counter'
import { inTx, openDb } from './db'
import { touchContact } from './system/machines'
import { saveWaitReason } from './system/workloads'

it.each(PROVIDERS)('wakes a watcher in another client at once, long before the safety tick, on %s', async (provider) => {
  const { db, url, drop } = await freshDatabase(provider)
  const other = await openDb(url)
  const stop = new AbortController()
  const ctx = ctxFor(other, await seedTenant(db))
  const after = await readCounter(db)
  const feed = watchChanges(db, { signal: stop.signal, after, everyMs: 60_000 })
  const first = feed.next()
  const workload = await createWorkload(ctx, createInput())
  const woken = await readCounter(db)
  expect((await first).value).toBe(woken)
  for (let i = 0; i < 3; i++) {
    const next = feed.next()
    await inTx(other, (tx) => note(tx, workload, because('waiting_first_look', {}), ctx.now()))
    expect((await next).value).toBe(woken + i + 1)
  }
  stop.abort()
  expect((await feed.next()).done).toBe(true)
  await other.$disconnect()
  await drop()
})

it.each(PROVIDERS)('shares one source among many watchers on %s', async (provider) => {
  const { db, drop } = await freshDatabase(provider)
  const ctx = ctxFor(db, await seedTenant(db))
  const stop = new AbortController()
  const feeds = Array.from({ length: 20 }, () => watchChanges(db, { signal: stop.signal, after: 0, everyMs: 60_000 }))
  const waiting = feeds.map((feed) => feed.next())
  await createWorkload(ctx, createInput())
  expect((await Promise.all(waiting)).map((r) => r.value)).toEqual(feeds.map(() => 1))
  stop.abort()
  await Promise.all(feeds.map((feed) => feed.return(undefined)))
  await drop()
})

it.each(PROVIDERS)('stays quiet when liveness or a wait reason is written on %s', async (provider) => {
  const { db, drop } = await freshDatabase(provider)
  const ctx = ctxFor(db, await seedTenant(db))
  const workload = await createWorkload(ctx, createInput())
  const before = await readCounter(db)
  await saveWaitReason(db, { workloadId: workload.id, reason: because('no_machine', {}), at: ctx.now() })
  await touchContact(db, { machineId: 'none', machineGen: 1, at: ctx.now() })
  expect(await readCounter(db)).toBe(before)
  await drop()
})
