import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { AgentLaunch } from '@/protocol/enrol'
import { machineById } from '@/server/store/system/machines'
import { freshDatabase } from '@/testing/databases'
import { programFile } from '@/testing/programs'
import { ctxFor, seedPlaced } from '@/testing/seed'
import { until } from '@/testing/until'
import { type HubWorld, openHubWorld } from './testing/hub-world'

const never = new AbortController().signal
let world: HubWorld
let drop: () => Promise<void>
type Started = { child: ChildProcess; exit: Promise<number | null> }
const children: Started[] = []

beforeAll(async () => {
  const made = await freshDatabase('sqlite')
  // Dead after six seconds of silence instead of 25: a busy machine is not silent for that long.
  world = await openHubWorld(made.db, { timing: { pingEveryMs: 500, pingDeadlineMs: 5500 } })
  drop = made.drop
})
afterEach(async () => {
  const ended = children.splice(0).map(({ child, exit }) => {
    child.kill('SIGKILL')
    return exit
  })
  await Promise.all(ended)
  await until('nobody is connected', () => !isConnected())
})
afterAll(async () => {
  await world.close()
  await drop()
})

/** The agent's own program, as the controller forks it. */
async function start(): Promise<Started> {
  const home = path.join(world.folder, 'home')
  mkdirSync(home, { recursive: true })
  const root = process.cwd()
  const env = {
    ...process.env,
    BERTH_HOME: home,
    BERTH_ROOT: root,
    BERTH_RUNTIME_DIR: world.folder,
    BERTH_DRIVERS: 'sim',
    BERTH_LOG_LEVEL: 'error',
  }
  const child = fork(programFile('agent'), { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const exit = once(child, 'exit').then(([code]) => code)
  children.push({ child, exit })
  const launch: AgentLaunch = { type: 'launch', socket: world.socket, joinToken: await world.hub.mintJoinToken(world.machine) }
  child.send(launch)
  return { child, exit }
}
const isConnected = () => world.hub.link.isConnected(world.machine.id)
const isStored = async () => isConnected() && (await machineById(world.db, world.machine.id))?.inventory?.hostname !== 'box'

it('X23: notices an agent that was stopped, keeps its machine’s rows, and takes it back when it goes on', async () => {
  const agent = await start()
  await until('connected', isStored)
  const placed = await seedPlaced(ctxFor(world.db, world.seed), world.machine)
  await world.hub.link.sync(world.machine.id, never)
  agent.child.kill('SIGSTOP')
  await until('noticed', () => !isConnected())
  expect(world.hub.link.observations(world.machine.id)).toBeNull()
  expect((await machineById(world.db, world.machine.id))?.inventory).not.toBeNull()
  agent.child.kill('SIGCONT')
  await until('back', isConnected)
  await world.hub.link.sync(world.machine.id, never)
  const seen = world.hub.link.observations(world.machine.id)?.answer.instances
  expect(seen).toMatchObject([{ placementId: placed.placement?.id, status: 'running' }])
})

it('is one per machine, ends with its parent, and finds everything again', async () => {
  const first = await start()
  await until('connected', isConnected)
  const second = await start()
  expect(await second.exit).toBe(1)
  first.child.disconnect()
  expect(await first.exit).toBe(0)
  await until('away', () => !isConnected())
  await start()
  await until('connected again', isConnected)
  await world.hub.link.sync(world.machine.id, never)
  expect(world.hub.link.observations(world.machine.id)?.answer.instances).toMatchObject([{ status: 'running' }])
})
