import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Agent, startAgent } from '@/agent/agent'
import { createSimDriver } from '@/agent/drivers/sim/sim-driver'
import { simOffers } from '@/agent/drivers/sim/sim-offers'
import type { Machine } from '@/domain/machines'
import { type Clock, systemClock } from '@/kit/clock'
import { createLog } from '@/kit/log'
import type { Db } from '@/server/store/db'
import { CATALOG } from '@/testing/candidates'
import { type Seed, seedMachine, seedTenant } from '@/testing/seed'
import type { Authority } from '../authority'
import { createHub, type Hub, type HubDeps } from '../hub'
import { openAuthority } from '../open-authority'

export const log = createLog('test', { level: process.env.HUB_TEST_LOG ?? 'silent' })

/** A hub on a socket of its own over a real database, one tenant with one machine, and agents that the test starts. */
export type HubWorld = {
  db: Db
  hub: Hub
  authority: Authority
  socket: string
  folder: string
  seed: Seed
  machine: Machine
  /** An agent with the sim driver; opening the same name again is a restart on the same machine. */
  agent(name?: string, options?: { joinToken?: string | null; bootId?: string; clock?: Clock }): Promise<Agent>
  /** Another hub over the same database, not yet listening. */
  anotherHub(deps?: Partial<HubDeps>): Hub
  close(): Promise<void>
}

/** Short waits, so that tests need no sleeps. */
const FAST = { reconnectBaseMs: 5, reconnectCapMs: 50 }

export async function openHubWorld(db: Db, deps: Partial<HubDeps> = {}): Promise<HubWorld> {
  const folder = mkdtempSync(path.join(tmpdir(), 'berth-hub-'))
  // Each world is an installation of its own over one database.
  await db.installation.updateMany({ data: { caPem: null } })
  const keyFile = path.join(folder, 'keys/ca.key')
  const authority = await openAuthority({ db, keyFile, clock: deps.clock ?? systemClock })
  const socket = path.join(folder, 'agents.sock')
  const anotherHub = (change: Partial<HubDeps> = {}) =>
    createHub({ db, log, catalog: CATALOG, authority, controllerId: 'controller-1', clock: systemClock, ...deps, ...change })
  const hub = anotherHub()
  await hub.listen(socket)
  const seed = await seedTenant(db)
  const machine = await seedMachine(db, seed)
  const agents: Agent[] = []
  return {
    ...{ db, hub, authority, socket, folder, seed, machine, anotherHub },
    async agent(name = 'one', { joinToken, bootId = 'boot-1', clock = systemClock } = {}) {
      const dataDir = path.join(folder, name)
      const token = joinToken === undefined ? await hub.mintJoinToken(machine) : joinToken
      const driver = createSimDriver({ dataDir, bootId, clock })
      const agent = await startAgent({
        ...{ dataDir, bootId, version: '0.1.0', log, clock, timing: FAST },
        launch: { socket, joinToken: token ?? '' },
        drivers: [{ driver, offers: simOffers }],
      })
      agents.push(agent)
      return agent
    },
    async close() {
      await Promise.all(agents.map((agent) => agent.close()))
      await hub.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
