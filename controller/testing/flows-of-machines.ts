import { expect } from 'vitest'
import { deleteWorkload } from '@/server/service/deletion'
import { parkWorkload, recoverWorkload, restartWorkload, resumeWorkload } from '@/server/service/operations'
import { markDisconnected } from '@/server/store/system/machines'
import { create, type Flow, is, up } from './flow'

/** What a machine does to a start, a stop and a delete. */
export const FLOWS: Flow[] = [
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
