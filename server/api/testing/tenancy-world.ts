import { v7 } from 'uuid'
import type { Machine } from '@/domain/machines'
import { orphanSpec } from '@/domain/orphans'
import { because } from '@/domain/reasons'
import type { State } from '@/domain/states'
import { createLog } from '@/kit/log'
import type { Runtime } from '@/server/auth/runtime'
import { createApiToken } from '@/server/service/api-tokens'
import { transition } from '@/server/service/transition'
import { createWorkload } from '@/server/service/workloads'
import { type Db, inTx } from '@/server/store/db'
import { addWorkloadSamples } from '@/server/store/system/activity'
import { saveOrphans } from '@/server/store/system/orphans'
import { TestClock } from '@/testing/clock'
import { createInput, ctxFor, type Seed, seedMachine, seedPlaced, seedTenant } from '@/testing/seed'
import { browserOf, runtimeFor } from './web'

/** Two tenants that know nothing of each other. The first has one of everything; the second asks for it. */
export type World = {
  runtime: Runtime
  owner: { seed: Seed; cookie: string; signInId: string; tokenId: string }
  stranger: { seed: Seed; cookie: string }
  machine: Machine
  /** Not connected since long ago. */
  goneMachineId: string
  /** Placements that run on the machine and that the store does not know. */
  orphans: { adopted: string; stopped: string }
  /** A workload of the owner in each of these states, each under a name that no other text contains. */
  workloads: Record<
    'queued' | 'running' | 'pausing' | 'parked' | 'failed' | 'lost' | 'doomed' | 'renamed' | 'waiting' | 'notebook',
    string
  >
}

/** Texts that must never reach the stranger. */
export function canaries(world: World): string[] {
  return [
    world.owner.seed.tenantId,
    world.owner.seed.owner.id,
    world.owner.seed.owner.email,
    world.owner.signInId,
    world.owner.tokenId,
    world.machine.id,
    world.goneMachineId,
    ...Object.values(world.orphans),
    'canary',
    ...Object.values(world.workloads),
  ]
}

export async function makeWorld(db: Db): Promise<World> {
  const runtime = runtimeFor(db, undefined, createLog('test', { level: 'fatal' }))
  const [seed, other] = [await seedTenant(db, { name: 'Canary Person' }), await seedTenant(db)]
  const machine = await seedMachine(db, seed, { name: 'canary-machine' })
  const token = await createApiToken(ctxFor(db, seed), { name: 'canary-token', scopes: ['read'], days: 1 })
  const of = (state: State, name: string) => workloadIn(db, seed, { machine, state, name: `canary-${name}` })
  const running = await of('running', 'running')
  const use = { cpu: 0.5, memoryBytes: 2 ** 28, diskBytes: null, gpus: [] }
  await addWorkloadSamples(db, [{ workloadId: running, at: runtime.clock.now(), use }])
  return {
    runtime,
    owner: { seed, ...(await browserOf(runtime, seed.owner.id)), tokenId: token.id },
    stranger: { seed: other, ...(await browserOf(runtime, other.owner.id)) },
    machine,
    goneMachineId: await goneMachine(db, seed),
    orphans: await orphansOf(db, seed, machine),
    workloads: {
      queued: await of('queued', 'queued'),
      running,
      pausing: await of('running', 'pausing'),
      parked: await of('parked', 'parked'),
      failed: await of('failed', 'failed'),
      lost: await of('lost', 'lost'),
      doomed: await of('queued', 'doomed'),
      renamed: await of('running', 'renamed'),
      waiting: await of('queued', 'waiting'),
      notebook: await workloadIn(db, seed, { machine, state: 'queued', ...NOTEBOOK }),
    },
  }
}

const NOTEBOOK = { name: 'canary-notebook', more: { kind: 'notebook', spec: { runtime: 'jupyterlab' } } }

async function goneMachine(db: Db, seed: Seed): Promise<string> {
  const { id: machineId } = await seedMachine(db, seed, { name: 'canary-gone' })
  await db.machineContact.update({ where: { machineId }, data: { controllerId: null, lastContactAt: new Date(0) } })
  return machineId
}

async function orphansOf(db: Db, seed: Seed, machine: Machine): Promise<World['orphans']> {
  const [adopted, stopped] = [v7(), v7()]
  const spec = orphanSpec.parse({
    ...{ tenantId: seed.tenantId, ownerId: seed.owner.id, kind: 'session', runtime: 'shell', driver: 'sim' },
    ...{ cpus: 1, memoryBytes: 2 ** 28, diskBytes: 0, devices: [], command: null, requirements: [] },
  })
  const seen = [adopted, stopped].map((placementId) => ({
    instance: { workloadId: v7(), placementId, workloadGen: 1 },
    spec,
    status: 'running',
  }))
  await saveOrphans(db, { machineId: machine.id, at: new TestClock().now() }, seen)
  return { adopted, stopped }
}

const WAY: Partial<Record<State, State[]>> = {
  running: ['running'],
  parked: ['running', 'parking', 'parked'],
  failed: ['failed'],
  lost: ['running', 'lost'],
}

type Wanted = { machine: Machine; state: State; name: string; more?: object }
async function workloadIn(db: Db, seed: Seed, wanted: Wanted): Promise<string> {
  const ctx = ctxFor(db, seed)
  const input = createInput({ name: wanted.name, ...wanted.more })
  const way = WAY[wanted.state]
  if (!way) return (await createWorkload(ctx, input)).id
  let workload = await seedPlaced(ctx, wanted.machine, input)
  for (const state of way) {
    const patch = state === 'parked' || state === 'lost' ? { patch: { placementId: null } } : {}
    workload = await inTx(db, (tx) => transition(tx, workload, state, because('started', {}), ctx.now(), patch))
  }
  return workload.id
}

/** Every row of the installation but the strangers' own, as text: equal before and after means that nothing was changed. */
export async function everythingBut(db: Db, world: World): Promise<string> {
  const { tenantId, owner } = world.stranger.seed
  const notTheirs = { where: { NOT: { tenantId } } }
  const rows = [
    await db.tenant.findMany({ where: { NOT: { id: tenantId } }, orderBy: { id: 'asc' } }),
    await db.user.findMany({ where: { NOT: { id: owner.id } }, orderBy: { id: 'asc' } }),
    await db.membership.findMany({ ...notTheirs, orderBy: { id: 'asc' } }),
    await db.signIn.findMany({ where: { NOT: { userId: owner.id } }, orderBy: { id: 'asc' } }),
    await db.apiToken.findMany({ ...notTheirs, orderBy: { id: 'asc' } }),
    await db.workload.findMany({ ...notTheirs, orderBy: { id: 'asc' } }),
    await db.workloadEvent.findMany({ ...notTheirs, orderBy: { id: 'asc' } }),
    await db.placement.findMany({ ...notTheirs, orderBy: { id: 'asc' } }),
    await db.operation.findMany({ ...notTheirs, orderBy: { id: 'asc' } }),
    await db.machine.findMany({ ...notTheirs, orderBy: { id: 'asc' } }),
    await db.orphan.findMany({ orderBy: { placementId: 'asc' } }),
    await db.share.findMany({ ...notTheirs, orderBy: { id: 'asc' } }),
    await db.ticket.findMany({ orderBy: { id: 'asc' } }),
  ]
  return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}
