import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { DesiredInstance, ObservedInstance } from '@/protocol/sync'
import { decideOrphan, orphansOn } from '@/server/store/system/orphans'
import { orderEnd } from '@/server/store/system/placements'
import { ensureInstallation, setQuarantine } from '@/server/store/system/setup'
import { eachProvider } from '@/testing/databases'
import { ctxFor, seedMachine, seedPlaced } from '@/testing/seed'
import { until } from '@/testing/until'
import { fakeAgent, honest } from './testing/fake-agent'
import { type HubWorld, openHubWorld } from './testing/hub-world'

const never = new AbortController().signal

function observed(change: Partial<ObservedInstance> = {}): ObservedInstance {
  const ids = { workloadId: uuidv7(), placementId: uuidv7(), workloadGen: 1 }
  const rest = { code: 'ok', subject: null, progress: null, exitCode: null, hasWorkspace: true } as const
  return { ...ids, status: 'running', ...rest, ...change }
}

eachProvider('X36: what a machine runs and the store does not know', (get) => {
  let world: HubWorld
  beforeEach(async () => {
    world = await openHubWorld(get(), { timing: { syncEveryMs: 600_000, trustEveryMs: 20 } })
    await ensureInstallation(get(), { id: uuidv7(), at: new Date() })
    await setQuarantine(get(), false)
  })
  afterEach(async () => {
    await setQuarantine(get(), false)
    await world.close()
  })

  /** A machine that lists what the test says, and remembers what it was ordered. */
  async function listing(says: () => { instances: ObservedInstance[]; unlisted?: DesiredInstance[] }) {
    const orders: DesiredInstance[][] = []
    await fakeAgent(world, (request) => {
      orders.push(request.desired)
      return { text: JSON.stringify(honest(request, says())) }
    })
    await until('connected', () => world.hub.link.isConnected(world.machine.id))
    const last = () => (orders.at(-1) ?? []).map((d) => [d.placementId, d.want])
    const sync = async () => {
      await world.hub.link.sync(world.machine.id, never)
      return last()
    }
    return { sync, last, orphans: () => orphansOn(world.db, [world.machine.id]) }
  }

  const specOf = (o: ObservedInstance, change: Partial<DesiredInstance> = {}): DesiredInstance => ({
    workloadId: o.workloadId,
    placementId: o.placementId,
    workloadGen: o.workloadGen,
    tenantId: world.seed.tenantId,
    ownerId: world.seed.owner.id,
    kind: 'session',
    runtime: 'shell',
    driver: 'sim',
    want: 'run',
    cpus: 2,
    memoryBytes: 2 ** 30,
    diskBytes: 0,
    devices: [],
    command: null,
    server: [],
    requirements: [],
    mounts: [],
    python: null,
    mountRoots: [],
    egress: { open: false, allow: [] },
    needsWorkspace: false,
    ...change,
  })

  it('X61: is kept with what it once was, told nothing, and forgotten when it is gone', async () => {
    const [known, bare] = [observed(), observed({ status: 'paused' })]
    let instances = [known, bare, observed({ status: 'stopped' })]
    const { sync, orphans } = await listing(() => ({ instances, unlisted: [specOf(known), specOf(observed())] }))
    expect(await sync()).toEqual([])
    expect(await orphans()).toMatchObject([
      { instance: { placementId: known.placementId }, spec: { cpus: 2, runtime: 'shell' }, status: 'running', decision: null },
      { instance: { placementId: bare.placementId }, spec: null, status: 'paused' },
    ])
    instances = [bare]
    expect(await sync()).toEqual([])
    expect(await orphans()).toMatchObject([{ instance: { placementId: bare.placementId } }])
  })

  it('is not believed when it is described as another instance than is listed', async () => {
    const one = observed()
    const { sync, orphans } = await listing(() => ({ instances: [one], unlisted: [specOf(one, { workloadId: uuidv7() })] }))
    await sync()
    expect(await orphans()).toMatchObject([{ instance: { placementId: one.placementId }, spec: null }])
  })

  it('X61: is ended only when a person said so, and keeps its files', async () => {
    const [one, other] = [observed(), observed()]
    let unlisted = [specOf(one)]
    const { sync, last } = await listing(() => ({ instances: [one, other], unlisted }))
    await sync()
    const { id: machineId } = world.machine
    await decideOrphan(world.db, { machineId, placementId: one.placementId, decision: 'stop' })
    unlisted = []
    // At once: nothing else asks this machine for a while.
    await until('told', () => last().some(([placementId, want]) => placementId === one.placementId && want === 'destroy'))
    expect(await sync()).toEqual([[one.placementId, 'destroy']])
    await sync()
    const [kept] = await orphansOn(world.db, [machineId])
    expect(kept).toMatchObject({ spec: { cpus: 2 }, decision: 'stop' })
  })

  it('M3: a copy of another machine’s placement is told to end here, and that row stays as it is', async () => {
    const other = await seedMachine(world.db, world.seed)
    const w = await seedPlaced(ctxFor(world.db, world.seed), other)
    const copy = observed({ workloadId: w.id, placementId: w.placement?.id ?? '' })
    const { sync, orphans } = await listing(() => ({ instances: [copy] }))
    await sync()
    expect(await sync()).toEqual([[copy.placementId, 'destroy']])
    expect(await orphans()).toEqual([])
    expect(await world.db.placement.findUniqueOrThrow({ where: { id: copy.placementId } })).toMatchObject({
      machineId: other.id,
      want: 'run',
      releasedAt: null,
    })
  })

  it('in quarantine nothing reaches any machine: no start, no end that was ordered or decided, none of a foreign copy', async () => {
    const ctx = ctxFor(world.db, world.seed)
    const other = await seedMachine(world.db, world.seed)
    const [ended, up, foreign] = [
      await seedPlaced(ctx, world.machine),
      await seedPlaced(ctx, world.machine),
      await seedPlaced(ctx, other),
    ]
    const one = observed()
    const copyOf = (w: typeof up) => observed({ workloadId: w.id, placementId: w.placement?.id ?? '' })
    const { sync } = await listing(() => ({ instances: [one, copyOf(ended), copyOf(up), copyOf(foreign)] }))
    await sync()
    await decideOrphan(world.db, { machineId: world.machine.id, placementId: one.placementId, decision: 'stop' })
    await orderEnd(world.db, { placementId: ended.placement?.id ?? '', want: 'remove' })
    await setQuarantine(world.db, true)
    expect(await sync()).toEqual([])
    await setQuarantine(world.db, false)
    const ends = (await sync()).filter(([, want]) => want !== 'run').map(([, want]) => want)
    expect(ends.toSorted()).toEqual(['destroy', 'destroy', 'remove'])
  })
})
