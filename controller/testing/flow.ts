import type { Workload } from '@/domain/workloads'
import { createWorkload } from '@/server/service/workloads'
import type { ControllerWorld } from '@/testing/controller-world'
import { createInput } from '@/testing/seed'

/** What people and machines do in one story; the controller does the rest. */
export type Flow = { name: string; play: (world: ControllerWorld) => Promise<Workload>; end: Workload['state'] }

/** Is it in that state? */
export const is = (state: Workload['state']) => (w: Workload) => w.state === state

/** Asks for a session. */
export async function create(world: ControllerWorld, spec: Record<string, unknown> = {}): Promise<Workload> {
  return createWorkload(world.ctx, createInput({ spec }))
}

/** A session that runs, and takes its time to start and to stop. */
export async function up(world: ControllerWorld): Promise<Workload> {
  const { id } = await create(world)
  world.fake.script(id, { startMs: 750, stopMs: 750 })
  return world.until(id, is('running'))
}
