import type { Server } from 'node:http'
import type { WorkloadBackend } from '@/backends/backend'
import { LIMITS } from '@/domain/limits'
import { addresses, type Settings } from '@/domain/settings'
import type { Clock } from '@/kit/clock'
import type { Log } from '@/kit/log'
import type { Db } from '@/server/store/db'
import { Access } from './access'
import { DataHost } from './data-host'
import { DoorTokens } from './door-tokens'
import { Doors } from './doors'
import { frontDoor } from './front-door'
import { Destinations } from './hosts'
import { hold } from './listening'
import { OpenConnections } from './open-connections'
import { Pipe } from './pipe'
import { Reads } from './reads'
import { Terminals } from './terminals'

export type GatewayDeps = {
  db: Db
  log: Log
  settings: Pick<Settings, 'BERTH_PORT' | 'BERTH_RUNTIME_DIR'>
  backend: Pick<WorkloadBackend, 'connect' | 'read' | 'search' | 'notebooks'>
  clock: Clock
}

/** Every door that is not the dashboard: the hosts of workloads and the dashboard's data host, on both loopback families. */
export type Gateway = {
  /** Resolves once both families are held; a machine without IPv6 has only the first. Errors: port_busy. */
  listen(): Promise<void>
  /** Ends every connection; terminals are told to come back. */
  close(): Promise<void>
}

const SWEEP_MS = 1000

/** The gateway, which holds no port until `listen`. */
export function createGateway(deps: GatewayDeps): Gateway {
  const parts = assemble(deps)
  const dashboardPort = deps.settings.BERTH_PORT
  const destinations = new Destinations(dashboardPort)
  const servers: Server[] = []
  const timers: NodeJS.Timeout[] = []
  const close = async () => {
    for (const timer of timers) clearInterval(timer)
    const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)))
    parts.terminals.beginClosing()
    parts.streams.endAll()
    parts.sockets.endAll()
    parts.answers.endAll()
    parts.dataHost.close()
    parts.pipe.close()
    for (const server of servers) server.closeAllConnections()
    await Promise.all(closed)
  }
  const listen = async () => {
    for (const host of ['127.0.0.1', '::1']) {
      const server = frontDoor({ ...parts, log: deps.log, destinations })
      if (await hold(server, { host, port: addresses(dashboardPort).gatewayPort })) servers.push(server)
    }
    timers.push(setInterval(() => void sweep(parts), SWEEP_MS))
    timers.push(setInterval(() => void parts.terminals.renew(), LIMITS.controlRenewSeconds * 1000))
  }
  return {
    listen: () =>
      listen().catch(async (error: unknown) => {
        await close() // one family alone is not held: another user could take the other one
        throw error
      }),
    close,
  }
}

type Parts = ReturnType<typeof assemble>

function assemble(deps: GatewayDeps) {
  const { log } = deps
  const dashboardPort = deps.settings.BERTH_PORT
  const access = new Access(deps)
  const pipe = new Pipe({ ...deps, tokens: new DoorTokens(deps.settings.BERTH_RUNTIME_DIR) })
  const streams = new OpenConnections(log, { perUser: LIMITS.streamsPerUser, perTenant: LIMITS.streamsPerTenant })
  const sockets = new OpenConnections(log, { perUser: LIMITS.socketsPerUser, perTenant: LIMITS.socketsPerTenant })
  const answers = new OpenConnections(log, { perUser: LIMITS.answersPerUser, perTenant: LIMITS.answersPerTenant })
  const doors = new Doors({ ...deps, dashboardPort, access, pipe, open: streams })
  const terminals = new Terminals({ ...deps, access, open: sockets })
  const reads = new Reads({ ...deps, access, open: answers })
  const dataHost = new DataHost({ dashboardPort, onTerminal: (socket) => terminals.accept(socket), reads })
  return { pipe, streams, sockets, answers, doors, terminals, dataHost }
}

async function sweep(parts: Parts): Promise<void> {
  parts.pipe.sweep()
  await Promise.all([parts.streams.sweep(), parts.sockets.sweep(), parts.answers.sweep(), parts.terminals.tellRefused()])
}
