import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '@/kit/log'
import type { DataHost } from './data-host'
import type { Doors } from './doors'
import type { Destination, Destinations } from './hosts'
import { type Exchange, refuse, refuseUpgrade, type SimpleRefusal } from './refusals'

type FrontDeps = { doors: Doors; dataHost: DataHost; log: Log; destinations: Destinations }

const HEADERS_MAX = 100
/** No bound on a whole request: an upload to a workload may take hours. Its headers have 10 s and 16 KiB. */
const OPTIONS = {
  ...{ maxHeaderSize: 16_384, requestTimeout: 0, headersTimeout: 10_000, keepAliveTimeout: 65_000 },
  /** How often Node looks for those that are late; by itself only every 30 s. */
  connectionsCheckingInterval: 1000,
}
/** Twice what a tenant may have open; more are refused before they cost anything. */
const CONNECTIONS_MAX = 4096

/** One listener's server: reads where a request goes from its real `Host` and hands it to that door. */
export function frontDoor(deps: FrontDeps): Server {
  const server = createServer(OPTIONS, (request, response) => void serve(deps, { request, response }))
  // Node leaves out what is above its count without a word; here it is counted and refused.
  server.maxHeadersCount = HEADERS_MAX + 1
  server.maxConnections = CONNECTIONS_MAX
  server.on(
    'upgrade',
    (request: IncomingMessage, socket: Socket, head: Buffer) => void serveUpgrade(deps, request, { socket, head }),
  )
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  })
  return server
}

async function serve(deps: FrontDeps, exchange: Exchange): Promise<void> {
  try {
    const to = route(deps, exchange.request)
    if ('code' in to) refuse(exchange, to)
    else if (to.host === 'data') await deps.dataHost.request(exchange)
    else await deps.doors.request(exchange, to)
  } catch (error) {
    deps.log.error('a request failed', { error })
    if (exchange.response.headersSent) exchange.response.destroy()
    else refuse(exchange, { code: 'broken' })
  }
}

async function serveUpgrade(deps: FrontDeps, request: IncomingMessage, client: { socket: Socket; head: Buffer }): Promise<void> {
  client.socket.on('error', () => undefined) // a lost client; its close is what counts
  try {
    const to = route(deps, request)
    if ('code' in to) refuseUpgrade(client.socket, to)
    else if (to.host === 'data') deps.dataHost.upgrade(request, client)
    else await deps.doors.upgrade(request, client, to)
  } catch (error) {
    deps.log.error('an upgrade failed', { error })
    refuseUpgrade(client.socket, { code: 'broken' })
  }
}

type Served = Extract<Destination, { host: 'workload' | 'data' }>

function route(deps: FrontDeps, request: IncomingMessage): Served | SimpleRefusal {
  if (request.rawHeaders.length / 2 > HEADERS_MAX) return { code: 'too_many_headers' }
  if (hostsIn(request.rawHeaders) !== 1 || !request.url?.startsWith('/')) return { code: 'malformed' }
  const to = deps.destinations.of(request.headers.host)
  return to.host === 'foreign' || to.host === 'unknown' ? { code: to.host } : to
}

/** How many `Host` headers there are; names and values take turns. */
function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts
}
