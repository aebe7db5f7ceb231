import { describe, expect, it } from 'vitest'
import type { Workload } from '@/domain/workloads'
import type { Db } from '@/server/store/db'
import { listEvents } from '@/server/store/events'
import { ControllerWorld } from '@/testing/controller-world'
import { eachProvider } from '@/testing/databases'
import { FLOWS } from './testing/flows-of-machines'
import { MORE_FLOWS } from './testing/flows-of-people'

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
