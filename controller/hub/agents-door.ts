import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { Log } from '@/kit/log'
import { type DoorAnswer, type EnrolmentDeps, enrol, renew } from './enrolment'
import { identify, type MachineIdentity } from './identity'

const BODY_BYTES_MAX = 65_536
const NOT_FOUND: DoorAnswer = { status: 404, body: { code: 'not_found' } }

/** The HTTP/1.1 side of the agents' listener: `POST /v1/enrol`, `POST /v1/renew`, `POST /v1/agent/<operation>`. Give it TLS sockets by `emit('connection', socket)`. */
export function createAgentsDoor(deps: EnrolmentDeps): http.Server {
  const server = http.createServer({
    maxHeaderSize: 16_384,
    requestTimeout: 15_000,
    headersTimeout: 10_000,
    keepAliveTimeout: 5000,
  })
  server.maxHeadersCount = 100
  server.on('request', (request, response) => {
    serve(deps, request, response).catch((error: unknown) => {
      deps.log.error('agent call failed', { path: request.url, error })
      send(response, { status: 500, body: { code: 'failed' } })
    })
  })
  return server
}

async function serve(deps: EnrolmentDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { socket } = request
  if (!(socket instanceof TLSSocket)) throw new Error('the agents door takes TLS connections only')
  const route = request.method === 'POST' ? ROUTES.find((r) => r.path.test(request.url ?? '')) : undefined
  if (!route) return send(response, NOT_FOUND)
  const identity = await identify(socket, deps, route.mayBeOver)
  const body = await readJson(request)
  if (body === undefined) return send(response, { status: 413, body: { code: 'too_large' } })
  const answer = await route.answer(deps, identity, body)
  if (answer.status !== 200) refused(deps.log, { path: request.url, status: answer.status, machineId: identity?.machineId })
  send(response, answer)
}

type Route = {
  path: RegExp
  /** A certificate that is over, but was never revoked, still names its machine here. */
  mayBeOver: boolean
  answer: (deps: EnrolmentDeps, identity: MachineIdentity | null, body: unknown) => Promise<DoorAnswer>
}

const ROUTES: readonly Route[] = [
  { path: /^\/v1\/enrol$/, mayBeOver: false, answer: (deps, _, body) => enrol(deps, body) },
  { path: /^\/v1\/renew$/, mayBeOver: true, answer: renew },
  // Operations of agents name a placement and are answered for its own machine alone; there are none yet.
  {
    path: /^\/v1\/agent\/[a-z-]{1,40}$/,
    mayBeOver: false,
    answer: async (_, identity) => (identity ? NOT_FOUND : { status: 401, body: { code: 'not_enrolled' } }),
  },
]

/** Undefined: more than is taken. Null: not JSON, which no schema accepts. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request) {
    bytes += part.length
    if (bytes > BODY_BYTES_MAX) return undefined
    parts.push(part)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8'))
  } catch {
    return null // answered with `invalid` by the schema of the route
  }
}

function send(response: ServerResponse, { status, body }: DoorAnswer | { status: number; body: { code: string } }): void {
  if (response.headersSent) return
  const text = JSON.stringify(body)
  const close = status === 413 ? { connection: 'close' } : {}
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...close,
  })
  response.end(text)
}

function refused(log: Log, fields: Record<string, unknown>): void {
  log.warn('agent call refused', fields)
}
