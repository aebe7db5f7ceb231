import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Machine } from '@/domain/machines'
import { because } from '@/domain/reasons'
import type { Runtime } from '@/server/auth/runtime'
import { removeShare, setShare } from '@/server/service/shares'
import { transition } from '@/server/service/transition'
import { createWorkload } from '@/server/service/workloads'
import { readCounter } from '@/server/store/counter'
import { inTx } from '@/server/store/db'
import { saveProgress } from '@/server/store/system/workloads'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, type Seed, seedMachine, seedMember, seedPlaced, seedTenant } from '@/testing/seed'
import { answerApi } from './answer'
import { contextOf } from './context'
import { followChanges, type LiveChange } from './follow-changes'
import { browserOf, ORIGIN, runtimeFor } from './testing/web'

eachProvider('live.changes', (db) => {
  let seed: Seed
  let machine: Machine
  let runtime: Runtime
  let clock: TestClock
  let cookie: string
  let signInId: string
  const open: AsyncGenerator<unknown>[] = []
  const shutdown = globalThis as { berthShutdown?: AbortController }

  beforeEach(async () => {
    shutdown.berthShutdown = new AbortController()
    clock = new TestClock()
    runtime = runtimeFor(db(), clock)
    seed = await seedTenant(db())
    machine = await seedMachine(db(), seed)
    ;({ cookie, signInId } = await browserOf(runtime, seed.owner.id))
  })
  afterEach(async () => {
    for (const stream of open.splice(0)) await stream.return(undefined)
  })

  const current = async () => String(await readCounter(db()))
  async function follow(lastEventId: string | null, signal?: AbortSignal) {
    const context = await contextOf(new Headers({ cookie }), runtime)
    const stream = followChanges(context, { lastEventId, signal })
    open.push(stream)
    const next = async (): Promise<LiveChange & { id: string }> => {
      const { value, done } = await stream.next()
      if (done || !value) throw new Error('the stream ended')
      return { ...value[1], id: value[0] }
    }
    return { stream, next }
  }
  /** The next message about workloads; the list of machines comes when it likes. */
  async function nextAbout(next: () => Promise<LiveChange & { id: string }>) {
    for (;;) {
      const message = await next()
      if (message.workloads.length > 0 || message.reset) return message
    }
  }
  const create = () => createWorkload(ctxFor(db(), seed), createInput())

  it('X33: goes on after the last message that the client saw, with what changed since', async () => {
    const { next } = await follow(await current())
    expect(await next()).toMatchObject({ reset: false, workloads: [] })
    const first = await create()
    const message = await nextAbout(next)
    expect(message).toMatchObject({ reset: false, id: await current(), counter: Number(await current()) })
    expect(message.workloads.map((w) => w.id)).toEqual([first.id])
    expect(message.workloads[0]).toMatchObject({ state: 'queued', isOwn: true })
    const second = await create()
    expect((await nextAbout(next)).workloads.map((w) => w.id)).toEqual([second.id])
  })

  it.each(['0', '999999', 'x', null])('tells a client that saw %j to read everything again, first of all', async (seen) => {
    await create()
    const { next } = await follow(seen)
    expect(await next()).toMatchObject({ reset: true, id: await current() })
  })

  it('sends progress, which raises no counter', async () => {
    const placed = await seedPlaced(ctxFor(db(), seed), machine)
    const { next } = await follow(await current())
    await nextAbout(next)
    const before = await current()
    const progress = { stage: 'packages' as const, done: 3, total: 10, unit: 'packages' as const, detail: null }
    await saveProgress(db(), {
      workloadId: placed.id,
      placementId: placed.placement?.id ?? '',
      progress,
      at: runtime.clock.now(),
    })
    const message = await nextAbout(next)
    expect(message.workloads).toMatchObject([{ id: placed.id, progress: { stage: 'packages', done: 3 } }])
    expect(message.id).toBe(before)
  })

  it('tells everything again when a machine came or went', async () => {
    const { next } = await follow(await current())
    await next()
    await db().machineContact.updateMany({ where: { machineId: machine.id }, data: { controllerId: null } })
    const message = await nextAbout(next)
    expect(message.reset).toBe(true)
    expect(message.machines).toMatchObject([{ id: machine.id, isConnected: false }])
  })

  it('T14: tells who loses sight of a workload to read everything again, and shows it to nobody else', async () => {
    const ctx = ctxFor(db(), seed)
    const noor = await seedMember(db(), seed, 'member')
    const workload = await create()
    const share = { workloadId: workload.id, userId: noor.id }
    await setShare(ctx, { ...share, level: 'view' })
    ;({ cookie } = await browserOf(runtime, noor.id))
    const { next } = await follow(await current())
    await removeShare(ctx, share)
    expect(await nextAbout(next)).toMatchObject({ reset: true, workloads: [] })
  })

  it('T14: ends at the next message once the sign-in is revoked, and nothing more is sent', async () => {
    const { stream, next } = await follow(await current())
    await next()
    await db().signIn.update({ where: { id: signInId }, data: { revokedAt: runtime.clock.now() } })
    await create()
    await expect(stream.next()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('T14: ends within two seconds when nothing is sent at all', async () => {
    const { stream, next } = await follow(await current())
    await next()
    await db().membership.deleteMany({ where: { userId: seed.owner.id } })
    await expect(stream.next()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('does not keep a sign-in from idling out', async () => {
    const usedAt = async () => (await db().signIn.findUniqueOrThrow({ where: { id: signInId } })).lastUsedAt
    const { next } = await follow('x')
    const before = await usedAt()
    clock.advance(120_000)
    await next()
    expect(await usedAt()).toEqual(before)
    await contextOf(new Headers({ cookie }), runtime)
    expect(await usedAt()).toEqual(clock.now())
  })

  it('ends quietly when the client leaves', async () => {
    const leave = new AbortController()
    const { stream, next } = await follow('x', leave.signal)
    await next()
    leave.abort()
    for (;;) if ((await stream.next()).done) return
  })

  it('ends with 503 at shutdown, so that the client comes back', async () => {
    const request = new Request(`${ORIGIN}/api/trpc/live.changes`, {
      headers: { cookie, 'sec-fetch-site': 'same-origin', 'last-event-id': '0' },
    })
    const response = await answerApi(runtime, request)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const reader = readerOf(response)
    let text = ''
    while (!/\nid: \d+/.test(text)) text += (await reader.read()).value ?? ''
    expect(text).toContain('"reset":true')
    shutdown.berthShutdown?.abort()
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      text += value
    }
    expect(text).toContain('event: serialized-error')
    expect(text).toContain('"httpStatus":503')
    expect(text).not.toContain('event: return')
  })

  it('sends a move within a moment', async () => {
    const placed = await seedPlaced(ctxFor(db(), seed), machine)
    const { next } = await follow(await current())
    await nextAbout(next)
    const moved = nextAbout(next)
    await inTx(db(), (tx) => transition(tx, placed, 'running', because('started', {}), runtime.clock.now()))
    expect((await moved).workloads).toMatchObject([{ id: placed.id, state: 'running' }])
  })
})

/** The text of an event stream as it comes. */
function readerOf(response: Response) {
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader()
  const decoder = new TextDecoder()
  return {
    read: async () => {
      const { value, done } = await reader.read()
      return { done, value: value ? decoder.decode(value, { stream: true }) : '' }
    },
  }
}
