import { v7 as uuidv7 } from 'uuid'
import { expect, it } from 'vitest'
import { reasonText } from '@/domain/reasons'
import type { RefusedHost } from '@/domain/refusals'
import { syncAnswer } from '@/protocol/sync'
import { listEvents } from '@/server/store/events'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { ctxFor, seedMachine, seedPlaced, seedRunning, seedTenant } from '@/testing/seed'
import { until } from '@/testing/until'
import { RefusalKeeper } from './refusal-keeper'
import { fakeAgent, honest } from './testing/fake-agent'
import { openHubWorld } from './testing/hub-world'

const HOUR = 3_600_000

eachProvider('what an instance was refused', (get) => {
  it('is told once a host and start, then counted once an hour, also by the next controller', async () => {
    const db = get()
    const seed = await seedTenant(db)
    const ctx = ctxFor(db, seed)
    const w = await seedRunning(ctx, await seedMachine(db, seed))
    const clock = new TestClock()
    const ids = { workloadId: w.id, placementId: w.placement?.id ?? '', workloadGen: 1 }
    const seen = (refused: RefusedHost[]) => ({
      ...ids,
      ...{ status: 'running' as const, code: 'ok' as const, subject: null, progress: null, exitCode: null, hasWorkspace: true },
      refused,
    })
    let keeper = new RefusalKeeper({ db, clock })
    const told = async () => {
      const events = await listEvents(db, seed.tenantId, { workloadId: w.id, limit: 100 })
      return events.filter((e) => e.reason.code.startsWith('egress')).map((e) => reasonText(e.reason))
    }
    const look = async (...counts: [string, number][]) => {
      await keeper.keep([seen(counts.map(([host, count]) => ({ host, count })))])
      return told()
    }
    const first = ['refused a connection to a.example', 'refused a connection to b.example']
    expect(await look(['a.example', 3], ['b.example', 1])).toEqual(first)
    expect(await look(['a.example', 50], ['b.example', 1])).toEqual(first)
    keeper = new RefusalKeeper({ db, clock })
    expect(await look(['a.example', 51], ['b.example', 1])).toEqual(first)
    clock.advance(HOUR)
    const counted = [...first, 'refused 51 connections to a.example so far']
    expect(await look(['a.example', 51], ['b.example', 1])).toEqual(counted)
    expect(await look(['a.example', 70], ['b.example', 1])).toEqual(counted)
    keeper = new RefusalKeeper({ db, clock })
    expect(await look(['a.example', 70], ['b.example', 1])).toEqual(counted)
    await Promise.all([keeper, new RefusalKeeper({ db, clock })].map((k) => k.keep([seen([{ host: 'c.example', count: 1 }])])))
    expect(await told()).toEqual([...counted, 'refused a connection to c.example'])
    // An answer about an instance that the workload has no more changes nothing and breaks nothing.
    await keeper.keep([{ ...seen([{ host: 'd.example', count: 1 }]), placementId: seed.tenantId }])
    expect(await told()).toHaveLength(4)
  })
})

eachProvider('a machine that says what it refused', (get) => {
  it('is heard by its connection: of its own workload, and of nothing that the store does not know', async () => {
    const world = await openHubWorld(get(), { timing: { syncEveryMs: 600_000 } })
    const workload = await seedPlaced(ctxFor(get(), world.seed), world.machine)
    const refused = [{ host: 'a.example', count: 1 }]
    const said = { status: 'running', code: 'ok', subject: null, progress: null, exitCode: null, hasWorkspace: true } as const
    const unknown = { workloadId: workload.id, placementId: uuidv7(), workloadGen: 2, ...said }
    const own = { ...unknown, placementId: workload.placement?.id ?? '', workloadGen: 1 }
    const instances = [
      { ...own, refused },
      { ...unknown, refused: [{ host: 'b.example', count: 1 }] },
    ]
    await fakeAgent(world, (request) => ({ text: JSON.stringify(honest(request, { instances })) }))
    await until('connected', () => world.hub.link.isConnected(world.machine.id))
    await world.hub.link.sync(world.machine.id, new AbortController().signal)
    const events = await listEvents(get(), world.seed.tenantId, { workloadId: workload.id, limit: 100 })
    expect(events.at(-1)).toMatchObject({ actor: 'machine', reason: { code: 'egress_denied', args: { host: 'a.example' } } })
    expect(events.filter((e) => e.reason.code === 'egress_denied')).toHaveLength(1)
    await world.close()
  })
})

it.each<[string, unknown]>([
  ['a text', [{ host: 'words of its own', count: 1 }]],
  [
    'a host twice',
    [
      { host: 'a.example', count: 1 },
      { host: 'a.example', count: 2 },
    ],
  ],
  ['too many', Array.from({ length: 101 }, (_, n) => ({ host: `h${n}.example`, count: 1 }))],
  ['no count', [{ host: 'a.example', count: 0 }]],
])('an answer that names %s as refused is not taken', (_, refused) => {
  const parsed = syncAnswer.shape.instances.element.shape.refused.safeParse(refused)
  expect(parsed.success).toBe(false)
})
