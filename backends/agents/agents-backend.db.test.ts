import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import type { Agent } from '@/agent/agent'
import { writeJsonFile } from '@/agent/json-file'
import { type HubWorld, openHubWorld } from '@/controller/hub/testing/hub-world'
import type { Workload } from '@/domain/workloads'
import { doorSocket } from '@/protocol/paths'
import { createWorkload } from '@/server/service/workloads'
import type { Db } from '@/server/store/db'
import { askFreeze, createPlacement, releasePlacement } from '@/server/store/system/placements'
import { putWorkspace } from '@/server/store/workspaces'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, seedMachine, seedTenant } from '@/testing/seed'
import { until } from '@/testing/until'
import type { PlacedWorkload } from '../backend'
import { BACKEND_CASES } from '../testing/conformance'
import { type BackendHarness, instanceOf } from '../testing/harness'
import { AgentsBackend } from './agents-backend'

const EPOCH = 1
const never = new AbortController().signal

/** The next placement row of a workload, whatever else is on the machine: capacity is placement's business. */
async function placeOn(db: Db, of: { workload: Workload; machineId: string }): Promise<PlacedWorkload> {
  const { workload, machineId } = of
  const made = { id: uuidv7(), workload, machineId, driver: 'sim' as const, placedClass: null, devices: [], epoch: EPOCH }
  const placement = await createPlacement(db, { ...made, at: new Date() })
  return { ...workload, workloadGen: placement.workloadGen, placement }
}

function harnessOf(world: HubWorld, agents: { now: Agent }): BackendHarness {
  const { db, hub, machine, folder } = world
  const machineId = machine.id
  const ctx = ctxFor(db, world.seed)
  const dataDir = path.join(folder, 'one')
  const seenAgain = () => until('the machine is synchronised', () => hub.link.observations(machineId) !== null)
  return {
    backend: new AgentsBackend({ db, link: hub.link, runtimeDir: folder, epoch: () => EPOCH }),
    place: async () => placeOn(db, { workload: await createWorkload(ctx, createInput()), machineId }),
    replace: async (w) => {
      const at = new Date()
      await releasePlacement(db, { placementId: w.placement.id, why: 'replaced', at })
      await putWorkspace(db, w.tenantId, { workloadId: w.id, machineId, at: new Date(at.getTime() - 1000) })
      return placeOn(db, { workload: w, machineId })
    },
    asks: async (w, want) => void (await askFreeze(db, { placementId: w.placement.id, want })),
    hasWorkspace: async (id) => existsSync(path.join(dataDir, 'workspaces', id)),
    breakStarts: async (_, code) => writeJsonFile(path.join(dataDir, 'sim.json'), { default: { startFault: code } }),
    cut: async () => {
      await agents.now.close()
      await until('the machine is away', () => !hub.link.isConnected(machineId))
    },
    mend: async () => {
      agents.now = await world.agent('one', { joinToken: null })
      await seenAgain()
    },
    tick: async () => undefined,
    door: 'main',
    patienceMs: 30_000,
  }
}

eachProvider('the agents backend over a real hub and agent, as every backend,', (get) => {
  it.each(BACKEND_CASES)('$name', async ({ run }) => {
    const world = await openHubWorld(get())
    try {
      const agents = { now: await world.agent('one') }
      await until('the machine is synchronised', () => world.hub.link.observations(world.machine.id) !== null)
      await run(harnessOf(world, agents))
    } finally {
      await world.close()
    }
  })
})

eachProvider('the agents backend', (get) => {
  /** A link that says what a test wants. */
  const silent = {
    isConnected: () => false,
    observations: () => null,
    sync: async () => undefined,
    connect: () => Promise.reject(new Error()),
    call: () => Promise.reject(new Error()),
  }

  async function placed(region: string) {
    const db = get()
    const seed = await seedTenant(db)
    const machine = await seedMachine(db, seed, { region, name: `m${uuidv7()}` })
    const workload = await createWorkload(ctxFor(db, seed), createInput())
    return { db, machine, w: await placeOn(db, { workload, machineId: machine.id }) }
  }

  it('keeps what was asked of a machine that is away, so that it is told when it is back', async () => {
    const { db, w } = await placed('lab')
    const backend = new AgentsBackend({ db, link: silent, runtimeDir: '/tmp', epoch: () => EPOCH })
    await expect(backend.park(instanceOf(w), never)).rejects.toMatchObject({ code: 'unreachable' })
    const row = await db.placement.findUniqueOrThrow({ where: { id: w.placement.id } })
    expect([row.want, row.ackedWant]).toEqual(['park', null])
  })

  it('X7 writes nothing for a controller whose lease went to another one', async () => {
    const { db, w } = await placed('lab')
    const older = new AgentsBackend({ db, link: silent, runtimeDir: '/tmp', epoch: () => EPOCH - 1 })
    await expect(older.park(instanceOf(w), never)).rejects.toMatchObject({ code: 'conflict' })
    expect((await db.placement.findUniqueOrThrow({ where: { id: w.placement.id } })).want).toBe('run')
  })

  it('freezes nothing that a person let go on since the controller read that it shall be frozen', async () => {
    const { db, w } = await placed('lab')
    const backend = new AgentsBackend({ db, link: silent, runtimeDir: '/tmp', epoch: () => EPOCH })
    const placementId = w.placement.id
    for (const want of ['pause', 'run'] as const) expect(await askFreeze(db, { placementId, want })).toBe(true)
    await expect(backend.pause(instanceOf(w), never)).rejects.toMatchObject({ code: 'conflict' })
    expect((await db.placement.findUniqueOrThrow({ where: { id: placementId } })).want).toBe('run')
  })

  it('takes no answer from before the acknowledgement for proof of absence', async () => {
    const { db, machine, w } = await placed('lab')
    const ackedAt = new Date()
    await db.placement.update({ where: { id: w.placement.id }, data: { ackedWant: 'run', ackedAt } })
    const answerAt = (at: Date) => ({
      ...silent,
      isConnected: () => true,
      observations: () => ({
        at,
        answer: {
          protocol: 1,
          machineGen: 1,
          bootId: 'boot-1',
          instances: [],
          inventory: machine.inventory ?? expect.fail(),
          use: { cpu: 0, memoryBytes: 0, diskFreeBytes: 0 },
        },
      }),
    })
    const statusAt = async (at: Date) => {
      const backend = new AgentsBackend({ db, link: answerAt(at), runtimeDir: '/tmp', epoch: () => EPOCH })
      return (await backend.observe([instanceOf(w)], never))[0]?.status
    }
    expect(await statusAt(new Date(ackedAt.getTime() - 1))).toBe('unknown')
    expect(await statusAt(ackedAt)).toBe('absent')
    // X31: the acknowledgement is of an hour that comes again, because the clock was set back since.
    expect(await statusAt(new Date(ackedAt.getTime() - 3_600_000))).toBe('absent')
  })

  describe('on this host', () => {
    it('connects straight to the door socket, and the deadline of connecting ends with it', async () => {
      const { db, w } = await placed('local')
      const runtimeDir = mkdtempSync(path.join(tmpdir(), 'bd-'))
      const socket = doorSocket(runtimeDir, w.placement.id, 'main')
      mkdirSync(path.dirname(socket), { recursive: true })
      const server = createServer({ allowHalfOpen: true }, (s) => s.pipe(s)).listen(socket)
      await once(server, 'listening')
      const backend = new AgentsBackend({ db, link: silent, runtimeDir, epoch: () => EPOCH })
      const deadline = new AbortController()
      const stream = await backend.connect(instanceOf(w), 'main', deadline.signal)
      deadline.abort()
      stream.end('ping')
      expect(Buffer.concat(await stream.toArray()).toString()).toBe('ping')
      server.close()
      rmSync(runtimeDir, { recursive: true, force: true })
    })

    it('says not_found of a door that is not there, and of a placement that is over', async () => {
      const { db, w } = await placed('local')
      const backend = new AgentsBackend({ db, link: silent, runtimeDir: '/tmp/none', epoch: () => EPOCH })
      await expect(backend.connect(instanceOf(w), 'main', never)).rejects.toMatchObject({ code: 'not_found' })
      await releasePlacement(db, { placementId: w.placement.id, why: 'parked', at: new Date() })
      await expect(backend.connect(instanceOf(w), 'main', never)).rejects.toMatchObject({ code: 'not_found' })
    })
  })
})
