import { cpSync } from 'node:fs'
import path from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { dial } from '@/agent/calls'
import { Enrolment } from '@/agent/enrol'
import { systemClock } from '@/kit/clock'
import { TUNNEL_ALPN } from '@/protocol/version'
import { placementsByIds } from '@/server/store/placements'
import { machineById, markDisconnected, mintMachineGen } from '@/server/store/system/machines'
import { setWant } from '@/server/store/system/placements'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { ctxFor, placementLease, seedPlaced } from '@/testing/seed'
import { until } from '@/testing/until'
import { type HubWorld, log, openHubWorld } from './testing/hub-world'

const never = new AbortController().signal

eachProvider('a machine and the hub', (get) => {
  let world: HubWorld
  beforeEach(async () => {
    world = await openHubWorld(get())
  })
  afterEach(async () => {
    await world.close()
  })
  /** Connected, and the store knows by the machine itself which drivers it has. */
  const isConnected = async () => world.hub.link.isConnected(world.machine.id) && (await stored()).inventory?.hostname !== 'box'
  const stored = async () => {
    const machine = await machineById(world.db, world.machine.id)
    if (!machine) throw new Error('no machine')
    return machine
  }
  const statusOf = (placementId: string) =>
    world.hub.link.observations(world.machine.id)?.answer.instances.find((i) => i.placementId === placementId)?.status

  it('enrols, connects, and is stored with what it is and has', async () => {
    await world.agent()
    await until('inventory stored', async () => (await stored()).inventory?.hostname !== 'box')
    expect(await stored()).toMatchObject({ bootId: 'boot-1', isConnected: true, inventory: { drivers: [{ row: 'sim' }] } })
  })

  it('runs what the store wants, and acknowledges it', async () => {
    await world.agent()
    await until('connected', isConnected)
    const placed = await seedPlaced(ctxFor(world.db, world.seed), world.machine)
    const placementId = placed.placement?.id ?? ''
    await world.hub.link.sync(world.machine.id, never)
    expect(await placementsByIds(world.db, [placementId])).toMatchObject([{ ackedAt: expect.any(Date) }])
    await until('running', () => statusOf(placementId) === 'running')

    const { epoch } = await placementLease(world.db)
    await setWant(world.db, { placementId, want: 'park', epoch })
    await world.hub.link.sync(world.machine.id, never)
    await until('parked', () => statusOf(placementId) === 'stopped')
  })

  it.each([-86_400_000, 86_400_000])('M13, X32: a machine whose clock is %i ms wrong decides no time', async (wrongMs) => {
    const from = Date.now()
    await world.agent('wrong', { clock: { now: () => new Date(Date.now() + wrongMs) } })
    await until('connected', isConnected)
    const placed = await seedPlaced(ctxFor(world.db, world.seed), world.machine)
    const placementId = placed.placement?.id ?? ''
    await world.hub.link.sync(world.machine.id, never)
    await until('running', () => statusOf(placementId) === 'running')
    const [row] = await placementsByIds(world.db, [placementId])
    const last = await world.db.sample.findFirst({ where: { machineId: world.machine.id }, orderBy: { at: 'desc' } })
    for (const at of [row?.ackedAt, (await stored()).lastContactAt, last?.at]) {
      expect(at?.getTime()).toBeGreaterThanOrEqual(from)
      expect(at?.getTime()).toBeLessThanOrEqual(Date.now())
    }
  })

  it('tells the controller when something changed, and not when nothing did', async () => {
    const heard: string[] = []
    world.hub.onChange((machineId) => heard.push(machineId))
    await world.agent()
    await until('heard', () => heard.length > 0)
    await world.hub.link.sync(world.machine.id, never)
    const before = heard.length
    await world.hub.link.sync(world.machine.id, never)
    await world.hub.link.sync(world.machine.id, never)
    expect(heard.length).toBe(before)
  })

  it('is unreachable by name while it is away, and comes back by itself', async () => {
    await expect(world.hub.link.sync(world.machine.id, never)).rejects.toMatchObject({
      code: 'unreachable',
      args: { machine: world.machine.name },
    })
    await world.agent()
    await until('connected', isConnected)
    const next = world.anotherHub()
    await world.hub.close()
    expect((await stored()).isConnected).toBe(false)
    await next.listen(world.socket)
    await until('connected to the next hub', () => next.link.isConnected(world.machine.id))
    await next.close()
  })

  it.each([3_600_000, -3_600_000])('X31: a clock that jumps by %i ms takes no connected machine for silent', async (jumpMs) => {
    await world.close()
    // Time goes on for it as for everybody, so that each contact is another moment; the bound is far above what one takes.
    let jumpedMs = 0
    const clock = { now: () => new Date(Date.now() + jumpedMs) }
    world = await openHubWorld(get(), { clock, timing: { syncEveryMs: 40, sweepEveryMs: 20, silentMs: 60_000 } })
    await world.agent()
    await until('connected', isConnected)
    const { machineGen } = await stored()
    jumpedMs = jumpMs
    const isOfNow = (at: Date | null) => at !== null && Math.abs(clock.now().getTime() - at.getTime()) < 1_800_000
    await until('heard since', async () => isOfNow((await stored()).lastContactAt))
    expect(await stored()).toMatchObject({ isConnected: true, machineGen })
  })

  it('X31: a machine of a controller that was killed is not taken for connected, wherever the clock went since', async () => {
    await world.close()
    const clock = new TestClock(new Date())
    world = await openHubWorld(get(), { clock, timing: { sweepEveryMs: 20, silentMs: 100 } })
    await mintMachineGen(get(), { machineId: world.machine.id, controllerId: 'killed', at: clock.now() })
    clock.advance(-3_600_000)
    await until('forgotten', async () => !(await stored()).isConnected)
  })

  it('X31: a machine connects again after the clock was set back to before the controller started', async () => {
    await world.close()
    const clock = new TestClock(new Date(Date.now() + 3_600_000))
    world = await openHubWorld(get(), { clock })
    clock.advance(-3_600_000)
    await world.agent()
    await until('connected', isConnected)
  })

  it('a connected machine that was taken for silent comes back by itself', async () => {
    await world.close()
    world = await openHubWorld(get(), { timing: { sweepEveryMs: 20 } })
    await world.agent()
    await until('connected', isConnected)
    const { machineGen } = await stored()
    await markDisconnected(world.db, { machineId: world.machine.id, machineGen })
    await until('registered anew', async () => (await stored()).isConnected && (await stored()).machineGen > machineGen)
  })

  it('X19: closes the older connection when the machine connects again, at a higher generation', async () => {
    await world.agent('one')
    await until('first', isConnected)
    const first = await stored()
    await world.agent('two')
    await until('second', async () => (await stored()).machineGen > first.machineGen && (await isConnected()))
    await world.hub.link.sync(world.machine.id, never)
  })

  it('M5 X18: refuses a second computer with a copied identity, and leaves the first alone', async () => {
    await world.agent('one')
    await until('first', isConnected)
    const first = await stored()
    cpSync(path.join(world.folder, 'one'), path.join(world.folder, 'copy'), { recursive: true })
    await dialAgain(world, path.join(world.folder, 'copy', 'agent'))
    expect(await isConnected()).toBe(true)
    expect((await stored()).machineGen).toBe(first.machineGen)
    await world.hub.link.sync(world.machine.id, never)
  })

  it('takes a machine back whose certificate the database does not know any more: its token brings another', async () => {
    const first = await world.agent()
    await until('connected', isConnected)
    await first.close()
    await until('away', async () => !(await isConnected()))
    await world.db.machineCertificate.deleteMany({ where: { machineId: world.machine.id } })
    await world.agent()
    await until('connected again', isConnected)
  })

  it('opens doors of what runs, and refuses what the machine does not hold', async () => {
    await world.agent()
    await until('connected', isConnected)
    const placed = await seedPlaced(ctxFor(world.db, world.seed), world.machine)
    const placementId = placed.placement?.id ?? ''
    await world.hub.link.sync(world.machine.id, never)
    await until('running', () => statusOf(placementId) === 'running')
    const door = await world.hub.link.connect(world.machine.id, placementId, 'main', never)
    door.end('ahoy')
    expect(Buffer.concat(await door.toArray()).toString()).toBe('ahoy')
    await expect(world.hub.link.connect(world.machine.id, uuidv7(), 'main', never)).rejects.toMatchObject({ code: 'not_found' })
  })
})

/** Dials with the identity that lies in that folder; resolves when the hub has closed the connection. */
async function dialAgain(world: HubWorld, folder: string): Promise<void> {
  const identity = await new Enrolment({ folder, socket: world.socket, joinToken: null, clock: systemClock, log }).identity()
  const socket = await dial({ socket: world.socket, ca: identity.ca, identity }, TUNNEL_ALPN, never)
  socket.resume()
  await new Promise<void>((resolve) => socket.once('close', () => resolve()))
}
