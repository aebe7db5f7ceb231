import { expect, it } from 'vitest'
import { createWorkload } from '@/server/service/workloads'
import { ControllerWorld } from '@/testing/controller-world'
import { eachProvider } from '@/testing/databases'
import { createInput } from '@/testing/seed'

eachProvider('a machine that comes and goes all the time', (get) => {
  it('X25: restarts nothing, moves nothing and leaves no line in the timeline', async () => {
    const world = await ControllerWorld.open(get())
    const { id } = await createWorkload(world.ctx, createInput())
    const before = await world.until(id, (w) => w.state === 'running')
    await world.settle()
    const events = () => get().workloadEvent.count({ where: { workloadId: id } })
    const [lines, instances] = [await events(), world.fake.listed()]
    for (let flap = 0; flap < 60; flap++) {
      world.fake.isUp = flap % 2 === 1
      await world.pass()
      world.clock.advance(5000)
    }
    const after = await world.workload(id)
    expect([after.state, after.version, after.placement?.id]).toEqual(['running', before.version, before.placement?.id])
    expect([await events(), world.fake.listed()]).toEqual([lines, instances])
  })
})
