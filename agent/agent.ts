import { join } from 'node:path'
import type { Clock } from '@/kit/clock'
import type { Log } from '@/kit/log'
import type { AgentLaunch } from '@/protocol/enrol'
import type { DesiredInstance } from '@/protocol/sync'
import type { Driver } from './drivers/driver'
import { Enrolment } from './enrol'
import { MachineInventory, type Offers } from './inventory/inventory'
import { unlisted, withGpus } from './observations'
import { serveRead } from './read/serve-read'
import { SeenChanges } from './seen-changes'
import { type AgentState, devicesInUse, openState } from './state'
import { AgentSync } from './sync'
import { runTunnel } from './tunnel'
import { TunnelServer, type TunnelTiming } from './tunnel-server'

/** A driver with what it offers on this machine. */
export type OfferedDriver = { driver: Driver; offers: () => Promise<Offers> }

export type AgentOptions = {
  /** `BERTH_HOME`; the agent's own state lies in its folder `agent`. */
  dataDir: string
  launch: Pick<AgentLaunch, 'socket' | 'joinToken'>
  drivers: readonly OfferedDriver[]
  bootId: string
  version: string
  log: Log
  clock: Clock
  /** Faster keepalive and reconnects for tests. */
  timing?: TunnelTiming
}

export type Agent = {
  sync: AgentSync
  /** Ends the connection and lets go of what runs in the background; what it was doing goes on after the next start. */
  close(): Promise<void>
}

/** Starts the agent: finds what is on this machine, then dials the controller, again and again. The caller holds the lock of the state folder. */
export async function startAgent(options: AgentOptions): Promise<Agent> {
  const { dataDir, drivers, log, clock, launch } = options
  const folder = join(dataDir, 'agent')
  const state = await openState(folder)
  const inventory = new MachineInventory({
    dataDir,
    agentVersion: options.version,
    offers: drivers.map((d) => d.offers),
    devicesInUse: () => devicesInUse(state),
    log,
  })
  const sync = new AgentSync({ drivers: drivers.map((d) => d.driver), state, means: () => inventory.means(), log })
  const enrolment = new Enrolment({ folder, socket: launch.socket, joinToken: launch.joinToken || null, clock, log })
  const seen = await SeenChanges.open(folder)
  const server = new TunnelServer({
    seen,
    sync: async (desired) => {
      await ready
      return { bootId: options.bootId, ...(await answerTo(desired, { sync, inventory, state })) }
    },
    onChange: (listener) => sync.onChange(listener),
    read: (request, response) => serveRead({ dataDir, log }, request, response),
    openDoor: (placementId, door, signal) => sync.connect(placementId, door, signal),
    log,
    timing: options.timing,
  })
  const closing = new AbortController()
  const { signal } = closing
  // Until it is known what the machine can do, nothing is started and no sync is answered; the connection is made meanwhile.
  const ready = inventory.refresh()
  const tunnel = runTunnel({ socket: launch.socket, enrolment, server, log, timing: options.timing }, signal)
  const work = Promise.all([seen.run(signal), ready.then(() => Promise.all([sync.run(signal), inventory.run(signal)])), tunnel])
  await ready
  return {
    sync,
    async close() {
      closing.abort()
      await work
    },
  }
}

type Whole = { sync: AgentSync; inventory: MachineInventory; state: AgentState }

/** Takes over what the controller wants, and says everything that the machine is and has. */
async function answerTo(desired: readonly DesiredInstance[], { sync, inventory, state }: Whole) {
  const seen = await sync.apply(desired)
  const read = await inventory.read()
  const instances = withGpus(seen, { held: state.held(), devices: read.devices })
  const unknown = unlisted(state.held(), { desired, instances })
  return { instances, inventory: read, use: await inventory.use(), unlisted: unknown }
}
