import tls from 'node:tls'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { AGENTS_SERVER_NAME } from '@/protocol/enrol'
import type { ObservedInstance, SyncAnswer, SyncRequest } from '@/protocol/sync'
import { placementsByIds } from '@/server/store/placements'
import { revokeCertificates } from '@/server/store/system/certificates'
import { machineById, mintMachineGen } from '@/server/store/system/machines'
import { eachProvider } from '@/testing/databases'
import { ctxFor, seedMachine, seedPlaced } from '@/testing/seed'
import { until } from '@/testing/until'
import { fakeAgent, honest, type Reply } from './testing/fake-agent'
import { type HubWorld, openHubWorld } from './testing/hub-world'

const never = new AbortController().signal
const text = (answer: unknown): Reply => ({ text: JSON.stringify(answer) })
const observed = (change: Partial<ObservedInstance>): ObservedInstance => ({
  workloadId: uuidv7(),
  placementId: uuidv7(),
  workloadGen: 1,
  status: 'running',
  code: 'ok',
  subject: null,
  progress: null,
  exitCode: null,
  hasWorkspace: true,
  ...change,
})
const twice = observed({})
const OFFER = { row: 'process-sandboxed', works: true, detail: null, fix: null, canPause: true }

/** Each is refused whole. */
const LIES: [string, (request: SyncRequest) => Reply][] = [
  ['more than a mebibyte', (r) => ({ text: JSON.stringify(honest(r)) + ' '.repeat(2 ** 20) })],
  ['no JSON', () => ({ text: '{"protocol":1,' })],
  ['another status', (r) => ({ status: 500, text: JSON.stringify(honest(r)) })],
  ['another protocol', (r) => text(honest(r, { protocol: 99 }))],
  ['an older generation', (r) => text(honest(r, { machineGen: Math.max(1, r.machineGen - 1) }))],
  ['a field nobody knows', (r) => text({ ...honest(r), admin: true })],
  ['an owner, a tenant, a region, a name', (r) => text({ ...honest(r), ownerId: 'me', tenantId: 't', region: 'r', name: 'n' })],
  ['who may use it', (r) => text(withInventory(r, { sharing: 'everyone', mountRoots: ['/'] }))],
  ['how well it isolates', (r) => text(withInventory(r, { drivers: [{ ...OFFER, isolation: 'vm' }] }))],
  ['a driver of its own', (r) => text(withInventory(r, { drivers: [{ ...OFFER, row: 'gvisor' }] }))],
  ['the time', (r) => text({ ...honest(r), at: new Date(0).toISOString() })],
  ['a number that is none', (r) => text({ ...honest(r), use: { cpu: 'NaN', memoryBytes: 1, diskFreeBytes: 1 } })],
  ['a negative amount', (r) => text(withInventory(r, { memoryBytes: -1 }))],
  ['a billion CPUs', (r) => text(withInventory(r, { cpus: 1e9 }))],
  ['more devices than a machine has', (r) => text(withInventory(r, { devices: Array(65).fill({}) }))],
  ['a long text', (r) => text(withInventory(r, { hostname: 'x'.repeat(121) }))],
  ['free text as a reason', (r) => text(honest(r, { instances: [{ ...observed({}), code: '<b>pwned</b>' as 'ok' }] }))],
  ['an instance twice', (r) => text(honest(r, { instances: [twice, twice] }))],
  ['more instances than are listed', (r) => text(honest(r, { instances: Array(2001).fill(twice) }))],
]

function withInventory(request: SyncRequest, change: Record<string, unknown>): SyncAnswer {
  const answer = honest(request)
  return { ...answer, inventory: { ...answer.inventory, ...change } }
}

eachProvider('answers of a machine that lies', (get) => {
  let world: HubWorld
  beforeEach(async () => {
    world = await openHubWorld(get(), { timing: { syncEveryMs: 600_000 } })
  })
  afterEach(async () => {
    await world.close()
  })
  const stored = () => machineById(world.db, world.machine.id)
  const sync = () => world.hub.link.sync(world.machine.id, never)
  const connected = () => until('connected', () => world.hub.link.isConnected(world.machine.id))

  it('M2, M4, N8: are refused whole, leave nothing in the store, and the next good one counts', async () => {
    let lie = LIES[0]?.[1] ?? (() => ({ text: '' }))
    await fakeAgent(world, (request) => lie(request))
    await connected()
    const placed = await seedPlaced(ctxFor(world.db, world.seed), world.machine)
    const before = await stored()
    for (const [name, next] of LIES) {
      lie = next
      await expect(sync(), name).rejects.toMatchObject({ code: 'unreachable' })
      expect(world.hub.link.observations(world.machine.id), name).toBeNull()
    }
    expect({ ...(await stored()), lastContactAt: null }).toEqual({ ...before, lastContactAt: null })
    expect(await placementsByIds(world.db, [placed.placement?.id ?? ''])).toMatchObject([{ ackedAt: null }])
    lie = (request) => text(honest(request))
    await sync()
    expect(await stored()).toMatchObject({ inventory: { hostname: 'honest' }, bootId: 'boot-9' })
    expect(await placementsByIds(world.db, [placed.placement?.id ?? ''])).toMatchObject([{ ackedAt: expect.any(Date) }])
  })

  it('M3, N12: count for nothing where they speak of a placement of another machine, or of their own otherwise than it is', async () => {
    const other = await seedMachine(world.db, world.seed)
    const foreign = await seedPlaced(ctxFor(world.db, world.seed), other)
    const own = await seedPlaced(ctxFor(world.db, world.seed), world.machine)
    const about = (w: typeof own, change: Partial<ObservedInstance> = {}) =>
      observed({ workloadId: w.id, placementId: w.placement?.id ?? '', ...change })
    const stray = observed({})
    let instances = [about(foreign), about(own, { workloadGen: 2 }), stray]
    await fakeAgent(world, (request) => text(honest(request, { instances })))
    await connected()
    await sync()
    const seen = () => world.hub.link.observations(world.machine.id)?.answer.instances
    expect(seen()).toEqual([stray])
    expect(await placementsByIds(world.db, [foreign.placement?.id ?? ''])).toMatchObject([{ ackedAt: null, machineId: other.id }])
    instances = [about(own), about(foreign)]
    await sync()
    expect(seen()).toMatchObject([{ placementId: own.placement?.id }])
  })

  it('M4, I8, X20: are not read any more once a newer connection was minted elsewhere', async () => {
    let bootId = 'before'
    const agent = await fakeAgent(world, (request) => text(honest(request, { bootId })))
    await connected()
    await sync()
    bootId = 'after'
    await mintMachineGen(world.db, { machineId: world.machine.id, controllerId: 'controller-2', at: new Date() })
    await expect(sync()).rejects.toMatchObject({ code: 'unreachable' })
    await agent.closed
    expect(await stored()).toMatchObject({ bootId: 'before', isConnected: true })
  })

  it('M8: cost a few synchronisations, however many changes they announce, and no other machine waits for them', async () => {
    let syncs = 0
    const since = performance.now()
    await fakeAgent(
      world,
      (request) => {
        syncs += 1
        return text(honest(request))
      },
      { changes: Array.from({ length: 20_000 }, (_, n) => n + 1).join('\n') },
    )
    const other = await seedMachine(world.db, world.seed)
    await fakeAgent({ ...world, machine: other }, (request) => text(honest(request)))
    await until('both connected', () => [world.machine, other].every(({ id }) => world.hub.link.isConnected(id)))
    for (let round = 0; round < 5; round++) await world.hub.link.sync(other.id, AbortSignal.timeout(5000))
    await until('a few', () => syncs >= 3)
    // A burst, and then one in each gap of 200 ms.
    expect(syncs).toBeLessThan(20 + (performance.now() - since) / 200)
  })

  it('M8: end the tunnel when a line of changes never ends', async () => {
    const agent = await fakeAgent(world, (request) => text(honest(request)), { changes: 'x'.repeat(100) })
    await agent.closed
  })
})

eachProvider('a revoked machine', (get) => {
  let world: HubWorld
  beforeEach(async () => {
    world = await openHubWorld(get(), { timing: { syncEveryMs: 600_000, trustEveryMs: 30 } })
  })
  afterEach(async () => {
    await world.close()
  })

  it('M7: loses its connection at once, and gets no other', async () => {
    const agent = await fakeAgent(world, (request) => text(honest(request)))
    await until('connected', () => world.hub.link.isConnected(world.machine.id))
    await revokeCertificates(world.db, world.machine.id, new Date())
    await agent.closed
    const again = tls.connect({
      ...target(world),
      cert: agent.identity.certificate,
      key: agent.identity.key,
      ALPNProtocols: ['berth-h2'],
    })
    again.on('error', () => undefined)
    again.resume()
    await new Promise((resolve) => again.once('close', resolve))
    expect(world.hub.link.isConnected(world.machine.id)).toBe(false)
  })

  it('is not let in by a TLS session that it resumes', async () => {
    const { identity } = await fakeAgent(world, (request) => text(honest(request)))
    const first = await ask(world, { cert: identity.certificate, key: identity.key })
    expect(first.answer).toContain('404')
    expect((await ask(world, { session: first.session })).answer).toContain('404')
    await revokeCertificates(world.db, world.machine.id, new Date())
    const resumed = await ask(world, { session: first.session })
    expect(resumed).toMatchObject({ isReused: true, answer: expect.stringContaining('401') })
  })
})

const target = (world: HubWorld) => ({ path: world.socket, ca: world.authority.pem, servername: AGENTS_SERVER_NAME })

/** One raw request to a door for machines, and the TLS session that can be resumed. */
function ask(world: HubWorld, options: tls.ConnectionOptions) {
  return new Promise<{ answer: string; session: Buffer; isReused: boolean }>((resolve, reject) => {
    let session: Buffer = Buffer.alloc(0)
    let isReused = false
    let answer = ''
    const socket = tls.connect({ ...target(world), ALPNProtocols: ['http/1.1'], ...options })
    socket.on('session', (made: Buffer) => {
      session = made
    })
    socket.once('secureConnect', () => {
      isReused = socket.isSessionReused()
      socket.write('POST /v1/agent/any HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
    })
    socket.on('data', (data) => {
      answer += String(data)
    })
    socket.on('error', reject)
    socket.once('close', () => resolve({ answer, session, isReused }))
  })
}
