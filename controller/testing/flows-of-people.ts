import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import type { Workload } from '@/domain/workloads'
import { pauseWorkload, restartWorkload, resumeWorkload } from '@/server/service/operations'
import { adoptOrphan } from '@/server/service/orphans'
import { createWorkload } from '@/server/service/workloads'
import type { Db } from '@/server/store/db'
import { listEvents } from '@/server/store/events'
import { openOperation } from '@/server/store/operations'
import { saveOrphans } from '@/server/store/system/orphans'
import { createInput } from '@/testing/seed'
import { type Flow, is, up } from './flow'

/** What people and the controller do besides: the same promise. */
export const MORE_FLOWS: Flow[] = [
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
