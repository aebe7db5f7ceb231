import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer, request } from 'node:http'
import type { Socket } from 'node:net'
import { connect, isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream'
import type { Audit, AuditLine } from './audit'
import { nameGuard, OtherName } from './name-guard'
import type { EgressPolicy } from './policy'
import type { Target } from './target'
import { absoluteTarget, connectTarget } from './target'
import type { Resolve, Vetted } from './vet'
import { vet } from './vet'

/** Connects to the first of these addresses that answers. */
export type Dial = (addresses: readonly string[], port: number) => Socket
export type ProxyOptions = {
  /** Who asks: the socket that this proxy listens on belongs to one instance. */
  id: string
  policy: () => EgressPolicy
  audit: Pick<Audit, 'write'>
  resolve: Resolve
  /** Opens a connection to one of the judged addresses; another one in tests. */
  dial?: Dial
  now: () => Date
  /** Counts what is sent on a connection to that host; what it returns is called at its end. */
  counted: (host: string, upstream: Socket) => () => void
}
type Verb = AuditLine['verb']

const CONNECTIONS_MAX = 512
const HEADER_MS = 10_000
const DIAL_MS = 10_000
/** Headers of one hop, and what only a proxy may read. */
const HOP_HEADERS = [
  'connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
]

/** A forward proxy for one instance: CONNECT, and plain HTTP in absolute form. Everything else is refused. */
export function createProxy(options: ProxyOptions): Server {
  const server = createServer({ requestTimeout: 0, headersTimeout: HEADER_MS, maxHeaderSize: 16 * 1024 })
  server.maxConnections = CONNECTIONS_MAX
  server.on('connect', (asked: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy())
    void tunnel(options, { asked, client, head })
  })
  server.on('request', (asked, answer) => void forward(options, asked, answer))
  // A protocol change over plain HTTP would leave the checked request; CONNECT is there for it.
  server.on('upgrade', (_asked, client: Duplex) => client.end(refusal(405, 'upgrade')))
  server.on('clientError', (_error, client: Duplex) => client.destroy())
  return server
}

type Asked = { asked: IncomingMessage; client: Duplex; head: Buffer }

async function tunnel(options: ProxyOptions, { asked, client, head }: Asked): Promise<void> {
  const target = connectTarget(asked.url ?? '')
  if (!target) return void client.end(refusal(400, 'target'))
  const vetted = await decide(options, { verb: 'CONNECT', target })
  if (vetted.decision !== 'allow') return void client.end(refusal(vetted.decision === 'error' ? 502 : 403, vetted.reason))
  const upstream = open(options, vetted.addresses, target.port)
  let isConnected = false
  upstream.once('connect', () => {
    isConnected = true
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    const guard = nameGuard(target)
    if (head.byteLength > 0) guard.write(head)
    pipeline(client, guard, upstream, (error) => {
      if (error instanceof OtherName) writeOtherName(options, target)
    })
    pipeline(upstream, client, () => undefined)
  })
  upstream.on('error', () => {
    if (isConnected) client.destroy()
    else client.end(refusal(502, 'dial'))
  })
  client.once('close', () => upstream.destroy())
  account(options, { verb: 'CONNECT', target, upstream, address: vetted.addresses[0] ?? '' })
}

function writeOtherName({ id, audit }: ProxyOptions, { host, port }: Target): void {
  audit.write({ ...{ id, verb: 'CONNECT', host, port, address: null }, decision: 'deny', reason: 'name' })
}

async function forward(options: ProxyOptions, asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const target = absoluteTarget(asked.url ?? '')
  if (!target) return refuse(answer, 400, 'target')
  const vetted = await decide(options, { verb: 'HTTP', target })
  if (vetted.decision !== 'allow') return refuse(answer, vetted.decision === 'error' ? 502 : 403, vetted.reason)
  const upstream = open(options, vetted.addresses, target.port)
  account(options, { verb: 'HTTP', target, upstream, address: vetted.addresses[0] ?? '' })
  const passed = request({
    createConnection: () => upstream,
    method: asked.method,
    path: target.path,
    headers: { ...kept(asked.headers), host: authority(target), connection: 'close' },
    setHost: false,
  })
  passed.once('response', (response) => {
    answer.writeHead(response.statusCode ?? 502, kept(response.headers))
    pipeline(response, answer, () => undefined)
  })
  passed.on('error', () => (answer.headersSent ? answer.destroy() : refuse(answer, 502, 'dial')))
  answer.once('close', () => upstream.destroy())
  pipeline(asked, passed, () => undefined)
}

async function decide(options: ProxyOptions, { verb, target }: { verb: Verb; target: Target }): Promise<Vetted> {
  const vetted = await vet(options.policy(), target, options.resolve)
  const { id, audit } = options
  const isAllowed = vetted.decision === 'allow'
  audit.write({
    ...{ id, verb, host: target.host, port: target.port, decision: vetted.decision },
    ...{ reason: isAllowed ? null : vetted.reason, address: isAllowed ? (vetted.addresses[0] ?? null) : null },
  })
  return vetted
}

function open(options: ProxyOptions, addresses: readonly string[], port: number): Socket {
  const socket = (options.dial ?? dialJudged)(addresses, port)
  const timer = setTimeout(() => socket.destroy(new Error('no connection in time')), DIAL_MS)
  socket.once('connect', () => clearTimeout(timer))
  socket.once('close', () => clearTimeout(timer))
  return socket
}

/** The resolver is answered from the list, so that no name is looked up a second time. */
const dialJudged: Dial = (addresses, port) => {
  const [only] = addresses
  if (addresses.length === 1 && only) return connect({ host: only, port })
  const answers = addresses.map((address) => ({ address, family: isIP(address) }))
  return connect({ host: 'judged.invalid', port, autoSelectFamily: true, lookup: (_host, _options, done) => done(null, answers) })
}

type Opened = { verb: Verb; target: Target; upstream: Socket; address: string }

function account(options: ProxyOptions, { verb, target, upstream, address }: Opened): void {
  const since = options.now().getTime()
  const end = options.counted(target.host, upstream)
  upstream.once('close', () => {
    end()
    options.audit.write({
      ...{ id: options.id, verb, host: target.host, port: target.port, decision: 'closed', reason: null, address },
      ...{ up: upstream.bytesWritten, down: upstream.bytesRead, ms: options.now().getTime() - since },
    })
  })
}

function kept<H extends NodeJS.Dict<string | string[]>>(headers: H): NodeJS.Dict<string | string[]> {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.includes(name) && !named.includes(name)))
}

function authority(target: Target): string {
  const host = target.host.includes(':') ? `[${target.host}]` : target.host
  return target.port === 80 ? host : `${host}:${target.port}`
}

/** Beside the status, which is all that most programs print: refused by a rule, or only not to be had. */
const WORDS: Readonly<Record<string, string>> = {
  host: 'Host Not On The List Of Berth',
  port: 'Port Not Allowed By Berth',
  address: 'Private Address Refused By Berth',
  name: 'Host Name Not Found',
  dial: 'Host Not Reachable',
  target: 'Not An Address',
}

function refuse(answer: ServerResponse, status: number, reason: string): void {
  const headers = { 'x-berth-egress': reason, 'content-type': 'text/plain', connection: 'close' }
  answer.writeHead(status, WORDS[reason] ?? 'Refused', headers).end(`Berth: ${WORDS[reason] ?? 'Refused'}\n`)
}

function refusal(status: number, reason: string): string {
  return `HTTP/1.1 ${status} ${WORDS[reason] ?? 'Refused'}\r\nx-berth-egress: ${reason}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`
}
