import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Agent } from '@/agent/agent'
import { createSimDriver } from '@/agent/drivers/sim/sim-driver'
import type { Workload } from '@/domain/workloads'
import { systemClock } from '@/kit/clock'
import { deleteWorkload } from '@/server/service/deletion'
import { parkWorkload, resumeWorkload } from '@/server/service/operations'
import { adoptOrphan } from '@/server/service/orphans'
import { createWorkload } from '@/server/service/workloads'
import { type Db, openDb } from '@/server/store/db'
import { machineById } from '@/server/store/system/machines'
import { decideOrphan, orphansOn } from '@/server/store/system/orphans'
import { isQuarantined, setQuarantine } from '@/server/store/system/setup'
import { copyDatabase, freshDatabase, PROVIDERS } from '@/testing/databases'
import { createInput, ctxFor } from '@/testing/seed'
import { until } from '@/testing/until'
import { type HubWorld, openHubWorld } from './hub/testing/hub-world'
import { LiveController } from './testing/live-controller'

const never = new AbortController().signal
const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function worldOf(provider: (typeof PROVIDERS)[number]) {
  const made = await freshDatabase(provider)
  closers.push(made.drop)
  const world = await openHubWorld(made.db)
  closers.push(() => world.close())
  const agent = await world.agent('one')
  await until('connected', () => world.hub.link.observations(world.machine.id) !== null)
  const beforePass = () => widen(world, made.db)
  return { made, world, agent, controller: new LiveController({ ...world, runtimeDir: world.folder, beforePass }) }
}

/** Room for every workload of a test, however small the computer is that runs it and says so again each minute. */
async function widen(world: HubWorld, db: Db): Promise<void> {
  const { inventory } = (await machineById(db, world.machine.id)) ?? expect.fail()
  if (inventory?.cpus === CPUS) return
  await db.machine.update({ where: { id: world.machine.id }, data: { inventory: { ...inventory, cpus: CPUS } } })
}
const CPUS = 64

/** The next controller of the same machine, over that database. */
async function controllerOver(world: HubWorld, db: Db): Promise<LiveController> {
  const hub = world.anotherHub({ db })
  await hub.listen(world.socket)
  await until('connected again', () => hub.link.observations(world.machine.id) !== null)
  return new LiveController({ db, hub, runtimeDir: world.folder, beforePass: () => widen(world, db) })
}

/** What the machine itself has, whoever knows it. */
async function onMachine(world: HubWorld, bootId = 'boot-1'): Promise<string[]> {
  const driver = createSimDriver({ dataDir: path.join(world.folder, 'one'), bootId, clock: systemClock })
  return (await driver.observe(never)).filter((i) => i.status === 'running').map((i) => i.placementId)
}
const idOf = (w: Workload) => w.placement?.id ?? ''
const sorted = (ids: string[]) => ids.toSorted()

describe.each(PROVIDERS)('on %s', (provider) => {
  it('X35 X36: yesterday’s database put back kills nothing, forgets nothing, and starts nothing twice', async () => {
    const { made, world, controller: first } = await worldOf(provider)
    const dayOne = ctxFor(made.db, world.seed)
    const create = async (ctx: typeof dayOne, controller: LiveController) => {
      const { id } = await createWorkload(ctx, createInput())
      return controller.until(id, 'up', (w) => w.state === 'running')
    }
    const [moved, gone, stays, rested] = [
      await create(dayOne, first),
      await create(dayOne, first),
      await create(dayOne, first),
      await create(dayOne, first),
    ]
    await parkWorkload(dayOne, rested.id)
    await first.until(rested.id, 'parked', (w) => w.state === 'parked')
    await first.close()
    await made.db.$disconnect()
    const yesterday = await copyDatabase(made.url)
    closers.push(yesterday.remove)

    const today = await openDb(made.url, { synchronous: 'NORMAL' })
    const second = await controllerOver(world, today)
    const dayTwo = ctxFor(today, world.seed)
    const added = await create(dayTwo, second)
    await parkWorkload(dayTwo, moved.id)
    await second.until(moved.id, 'parked', (w) => w.state === 'parked')
    await resumeWorkload(dayTwo, moved.id)
    await resumeWorkload(dayTwo, rested.id)
    await deleteWorkload(dayTwo, gone.id)
    const movedOn = await second.until(moved.id, 'up again', (w) => w.state === 'running')
    const restedOn = await second.until(rested.id, 'up again', (w) => w.state === 'running')
    await second.until(gone.id, 'removed', (w) => w.state === 'removed')
    await second.close()
    await today.$disconnect()
    const before = sorted(await onMachine(world))
    expect(before).toEqual(sorted([added, movedOn, restedOn, stays].map(idOf)))

    const restored = await openDb(yesterday.url, { synchronous: 'NORMAL' })
    closers.push(() => restored.$disconnect())
    const third = await controllerOver(world, restored)
    closers.push(() => third.close())
    expect(await isQuarantined(restored)).toBe(true)
    await third.until(moved.id, 'seen as lost', (w) => w.state === 'lost')
    for (let pass = 0; pass < 5; pass++) await third.pass()
    expect(sorted(await onMachine(world))).toEqual(before)
    expect(await third.workload(stays.id)).toMatchObject({ state: 'running', placement: { id: idOf(stays) } })
    await setQuarantine(restored, false)
    await third.until(moved.id, 'seen as lost', (w) => w.state === 'lost')
    await third.until(gone.id, 'seen as lost', (w) => w.state === 'lost')
    const ctx = ctxFor(restored, world.seed)
    await resumeWorkload(ctx, rested.id)
    await third.until(rested.id, 'waits for a person', (w) => w.reason?.code === 'waiting_orphan')
    await adoptOrphan(ctx, { machineId: world.machine.id, placementId: idOf(movedOn) })
    const adopted = await third.until(moved.id, 'adopted', (w) => w.state === 'running')
    expect([idOf(adopted), adopted.workloadGen]).toEqual([idOf(movedOn), 2])
    for (let pass = 0; pass < 5; pass++) await third.pass()
    expect(sorted(await onMachine(world))).toEqual(before)
    expect(await third.workload(stays.id)).toMatchObject({ state: 'running', placement: { id: idOf(stays) } })
    const orphans = await orphansOn(restored, [world.machine.id])
    expect(sorted(orphans.map((o) => o.instance.placementId))).toEqual(sorted([added, restedOn].map(idOf)))

    await decideOrphan(restored, { machineId: world.machine.id, placementId: idOf(added), decision: 'stop' })
    await until('the one that a person stopped is over', async () => !(await onMachine(world)).includes(idOf(added)))
    expect(sorted(await onMachine(world))).toEqual(sorted([movedOn, restedOn, stays].map(idOf)))
  })

  it('X16: a restart of the machine parks what ran, and each goes on by its policy', async () => {
    const { made, world, agent, controller } = await worldOf(provider)
    const ctx = ctxFor(made.db, world.seed)
    const create = async (input: Record<string, unknown>) => {
      const { id } = await createWorkload(ctx, createInput(input))
      return controller.until(id, 'up', (w) => w.state === 'running')
    }
    const session = await create({})
    const staying = await create({ spec: { rebootPolicy: 'stay' } })
    const notebook = await create({ kind: 'notebook', spec: { runtime: 'jupyterlab' } })
    await reboot(world, agent)
    const parked = await controller.until(staying.id, 'parked', (w) => w.state === 'parked')
    expect(parked).toMatchObject({ reason: { code: 'machine_rebooted' }, workspaceMachineId: world.machine.id, placement: null })
    await controller.until(notebook.id, 'parked', (w) => w.state === 'parked')
    const again = await controller.until(session.id, 'up again', (w) => w.state === 'running' && w.workloadGen === 2)
    expect(await onMachine(world, 'boot-2')).toEqual([idOf(again)])
    expect(again.placement?.bootId).toBe('boot-2')
    await resumeWorkload(ctx, notebook.id)
    await controller.until(notebook.id, 'up again', (w) => w.state === 'running')
    await controller.close()
  })
})

async function reboot(world: HubWorld, agent: Agent): Promise<void> {
  await agent.close()
  await until('away', () => !world.hub.link.isConnected(world.machine.id))
  await world.agent('one', { joinToken: null, bootId: 'boot-2' })
  await until('back', () => world.hub.link.observations(world.machine.id)?.answer.bootId === 'boot-2')
}
