import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import type { Workload } from '@/domain/workloads'
import { deleteWorkload } from '@/server/service/deletion'
import { parkWorkload, pauseWorkload, recoverWorkload, restartWorkload, resumeWorkload } from '@/server/service/operations'
import { adoptOrphan } from '@/server/service/orphans'
import { createWorkload } from '@/server/service/workloads'
import type { Db } from '@/server/store/db'
import { listEvents } from '@/server/store/events'
import { openOperation } from '@/server/store/operations'
import { markDisconnected } from '@/server/store/system/machines'
import { saveOrphans } from '@/server/store/system/orphans'
import { ControllerWorld } from '@/testing/controller-world'
import { eachProvider } from '@/testing/databases'
import { createInput } from '@/testing/seed'

const is = (state: Workload['state']) => (w: Workload) => w.state === state

/** What people and machines do in one story; the controller does the rest. */
type Flow = { name: string; play: (world: ControllerWorld) => Promise<Workload>; end: Workload['state'] }

async function create(world: ControllerWorld, spec: Record<string, unknown> = {}): Promise<Workload> {
  return createWorkload(world.ctx, createInput({ spec }))
}

async function up(world: ControllerWorld): Promise<Workload> {
  const { id } = await create(world)
  world.fake.script(id, { startMs: 750, stopMs: 750 })
  return world.until(id, is('running'))
}

const FLOWS: Flow[] = [
  {
    name: 'create, park, resume, delete',
    end: 'removed',
    play: async (world) => {
      const { id } = await up(world)
      await parkWorkload(world.ctx, id)
      await world.until(id, is('parked'))
      expect(world.fake.workspaces.has(id)).toBe(true)
      await resumeWorkload(world.ctx, id)
      await world.until(id, is('running'))
      await deleteWorkload(world.ctx, id)
      await world.until(id, is('removed'))
      expect(world.fake.workspaces.has(id)).toBe(false)
      return world.workload(id)
    },
  },
  {
    name: 'delete of a parked workload takes its files',
    end: 'removed',
    play: async (world) => {
      const { id } = await up(world)
      await parkWorkload(world.ctx, id)
      await world.until(id, is('parked'))
      await deleteWorkload(world.ctx, id)
      await world.until(id, is('removed'))
      expect(world.fake.workspaces.has(id)).toBe(false)
      return world.workload(id)
    },
  },
  {
    name: 'a machine that forgets its starts, until the attempts are spent, then a restart by hand',
    end: 'running',
    play: async (world) => {
      const { id } = await create(world)
      world.fake.script(id, { isForgetful: true })
      const failed = await world.until(id, is('failed'))
      expect(failed.reason?.code).toBe('attempts_spent')
      world.fake.script(id, { isForgetful: false })
      await restartWorkload(world.ctx, id)
      return world.until(id, is('running'))
    },
  },
  {
    name: 'a start that fails, kept for a look, then ended',
    end: 'failed',
    play: async (world) => {
      const { id } = await create(world)
      world.fake.script(id, { startFault: 'start_failed' })
      const kept = await world.until(id, is('failed'))
      expect(kept.placement).not.toBeNull()
      world.clock.advance(15 * 60_000)
      await world.until(id, (w) => w.placement === null)
      await world.settle()
      return world.workload(id)
    },
  },
  {
    name: 'X16 a restart of the machine, resumed by policy',
    end: 'running',
    play: async (world) => {
      const { id } = await up(world)
      world.fake.reboot()
      return world.until(id, (w) => w.state === 'running' && w.workloadGen === 2)
    },
  },
  {
    name: 'a park that is ignored, then forced',
    end: 'parked',
    play: async (world) => {
      const { id } = await up(world)
      world.fake.script(id, { isStubborn: true })
      await parkWorkload(world.ctx, id)
      await world.settle()
      world.clock.advance(60_000)
      const parked = await world.until(id, is('parked'))
      expect(parked.reason?.code).toBe('park_forced')
      return parked
    },
  },
  {
    name: 'X22 a delete while the machine is away, ended when it is back',
    end: 'removed',
    play: async (world) => {
      const { id } = await up(world)
      await deleteWorkload(world.ctx, id)
      world.fake.isUp = false
      await markDisconnected(world.ctx.db, { machineId: world.machine.id, machineGen: world.machine.machineGen })
      world.clock.advance(60_000)
      const removed = await world.until(id, is('removed'))
      expect(removed.reason?.code).toBe('removed_later')
      world.fake.isUp = true
      await world.settle(10)
      return world.workload(id)
    },
  },
  {
    name: 'a resume whose files are gone: lost, and nothing of it is left',
    end: 'lost',
    play: async (world) => {
      const { id } = await up(world)
      await parkWorkload(world.ctx, id)
      await world.until(id, is('parked'))
      world.fake.workspaces.delete(id)
      await resumeWorkload(world.ctx, id)
      await world.until(id, is('lost'))
      await world.settle(10)
      return world.workload(id)
    },
  },
  {
    name: 'lost, then listed after all: taken back, never started twice',
    end: 'running',
    play: async (world) => {
      const { id, placement } = await up(world)
      const placementId = placement?.id ?? ''
      world.fake.vanish(placementId)
      await world.until(id, is('lost'))
      world.fake.reappear(placementId)
      const back = await world.until(id, is('running'))
      expect([back.placement?.id, back.workloadGen]).toEqual([placementId, 1])
      return back
    },
  },
  {
    name: 'lost, recovered elsewhere in time, and the old copy comes back: it is ended',
    end: 'running',
    play: async (world) => {
      const { id, placement } = await up(world)
      world.fake.vanish(placement?.id ?? '')
      await world.until(id, is('lost'))
      await recoverWorkload(world.ctx, id)
      const again = await world.until(id, is('running'))
      world.fake.reappear(placement?.id ?? '')
      await world.settle(10)
      expect(world.fake.listed().map((i) => i.placementId)).toEqual([again.placement?.id])
      return world.workload(id)
    },
  },
]

/** What people and the controller do besides: the same promise. */
const MORE_FLOWS: Flow[] = [
  {
    name: 'broken while it was up, and nothing of it runs: its room is free at once',
    end: 'failed',
    play: async (world) => {
      const { id, placement } = await up(world)
      world.fake.crash(placement?.id ?? '', 'process_ended', true)
      await world.until(id, (w) => w.state === 'failed' && w.placement === null)
      await world.settle()
      return world.workload(id)
    },
  },
  {
    name: 'pause and resume',
    end: 'running',
    play: async (world) => {
      const { id } = await up(world)
      await pauseWorkload(world.ctx, id)
      await world.until(id, is('paused'))
      await resumeWorkload(world.ctx, id)
      const again = await world.until(id, is('running'))
      expect(again.workloadGen).toBe(1)
      return again
    },
  },
  {
    name: 'restart of a session whose program ended: stopped, then started, as one operation',
    end: 'running',
    play: async (world) => {
      const { id, placement } = await up(world)
      world.fake.exit(placement?.id ?? '', 3)
      await world.until(id, (w) => w.exitCode === 3)
      await restartWorkload(world.ctx, id)
      const again = await world.until(id, (w) => w.state === 'running' && w.workloadGen === 2)
      expect(again.exitCode).toBeNull()
      expect(await openOperation(world.ctx.db, world.ctx.tenantId, id)).toBeNull()
      return again
    },
  },
  {
    name: 'idle: warned, then parked',
    end: 'parked',
    play: async (world) => {
      const { id } = await createWorkload(world.ctx, createInput({ settings: { idleMinutes: 30 } }))
      await world.until(id, is('running'))
      const warned = await world.untilSlow(id, (w) => w.stopAt !== null)
      expect(warned.stopWhy).toBe('idle')
      const parked = await world.untilSlow(id, is('parked'))
      expect(parked.stopAt).toBeNull()
      expect(await told(world.ctx.db, parked)).toBe(1)
      return parked
    },
  },
  {
    name: 'X36 adopted from its machine, which the database did not know',
    end: 'running',
    play: async (world) => {
      const { tenantId, person, db } = world.ctx
      const instance = { workloadId: uuidv7(), placementId: uuidv7(), workloadGen: 3 }
      world.fake.workspaces.add(instance.workloadId)
      world.fake.start(instance)
      const sizes = { cpus: 1, memoryBytes: 2 ** 30, diskBytes: 0, devices: [], requirements: [], mounts: [], python: null }
      const spec = {
        tenantId,
        ownerId: person.id,
        kind: 'session',
        runtime: 'shell',
        driver: 'sim',
        command: null,
        ...sizes,
      } as const
      await saveOrphans(db, { machineId: world.machine.id, at: world.clock.now() }, [{ instance, spec, status: 'running' }])
      await world.settle(2)
      expect(world.fake.listed()).toHaveLength(1)
      await adoptOrphan(world.ctx, { machineId: world.machine.id, placementId: instance.placementId })
      const adopted = await world.until(instance.workloadId, is('running'))
      expect([adopted.placement?.id, adopted.workloadGen]).toEqual([instance.placementId, 3])
      return adopted
    },
  },
]

/** How often the timeline says that it is going to be parked. */
async function told(db: Db, w: Workload): Promise<number> {
  const events = await listEvents(db, w.tenantId, { workloadId: w.id, afterSeq: 0, limit: 500 })
  return events.filter((e) => e.reason.code === 'stop_soon').length
}

/** The story that the timeline tells: each move with its reason. */
async function movesOf(db: Db, w: Workload): Promise<string[]> {
  const events = await listEvents(db, w.tenantId, { workloadId: w.id, afterSeq: 0, limit: 500 })
  return events.filter((e) => e.to !== null).map((e) => `${e.from}→${e.to} ${e.reason.code}`)
}

/** I4 I6: what runs at the end is the workload's own instance, or nothing. */
function expectNoLeak(world: ControllerWorld, w: Workload): void {
  const running = world.fake.listed().map((i) => i.placementId)
  expect(running).toEqual(w.state === 'running' ? [w.placement?.id] : [])
}

describe.each([...FLOWS, ...MORE_FLOWS])('$name', ({ play, end }) => {
  eachProvider('I7 X1 X2 X3 a controller', (get, provider) => {
    // What differs between the databases is proven by their own tests: PostgreSQL gets every other step.
    const stride = provider === 'sqlite' ? 1 : 2

    it('comes to the same end when it is killed after any step', async () => {
      const calm = await ControllerWorld.open(get())
      const expected = await play(calm)
      expect(expected.state).toBe(end)
      expectNoLeak(calm, expected)
      const story = await movesOf(get(), expected)
      for (let k = 1; k <= calm.steps; k += stride) {
        const world = await calm.renew()
        world.killAfter = k
        const w = await play(world)
        expect([k, w.state, w.reason?.code]).toEqual([k, end, expected.reason?.code])
        expect(await movesOf(get(), w)).toEqual(story)
        expectNoLeak(world, w)
      }
    })
  })
})
