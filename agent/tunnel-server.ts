import http2, { type Http2ServerRequest, type Http2ServerResponse, type ServerHttp2Session } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { keepAlive } from '@/kit/keep-alive'
import type { Log } from '@/kit/log'
import { type DesiredInstance, type OlderDatabase, type SyncAnswer, syncRequest } from '@/protocol/sync'
import { PROTOCOL, TUNNEL } from '@/protocol/version'
import { type OpenDoor, serveDoor } from './doors'
import { eagerSocket } from './eager-socket'
import type { SeenChanges } from './seen-changes'

/** Waits of the tunnel where they differ from `TUNNEL`: tests are faster. */
export type TunnelTiming = Partial<Record<'pingEveryMs' | 'pingDeadlineMs' | 'reconnectBaseMs' | 'reconnectCapMs', number>>

export type TunnelServerDeps = {
  /** Takes over what the controller wants; answers with the whole inventory. */
  sync: (desired: readonly DesiredInstance[]) => Promise<Omit<SyncAnswer, 'protocol' | 'machineGen'>>
  seen: Pick<SeenChanges, 'count' | 'saw'>
  onChange: (listener: () => void) => () => void
  openDoor: OpenDoor
  /** Answers a question for what this machine keeps of a workload; the path is one of `READ_PATHS`. */
  read: (request: { path: string; body: unknown }, response: Http2ServerResponse) => Promise<void>
  log: Log
  timing?: TunnelTiming
}

const READ_PATHS: readonly string[] = ['/v1/read', '/v1/search', '/v1/notebooks']
const REQUEST_BYTES_MAX = 32 * 2 ** 20
const CHANGE_GAP_MS = 25

/** The agent's end of the tunnel: HTTP/2 server of one connection at a time, over which the controller calls. */
export class TunnelServer {
  readonly #deps: TunnelServerDeps
  readonly #server: http2.Http2Server
  #session: ServerHttp2Session | null = null
  /** The generation of the present connection; an older one is refused. */
  #machineGen = 0
  #onFirstSync: () => void = () => undefined

  constructor(deps: TunnelServerDeps) {
    this.#deps = deps
    this.#server = http2.createServer({
      maxSessionMemory: 256,
      settings: { initialWindowSize: TUNNEL.streamWindowBytes, maxConcurrentStreams: TUNNEL.streamsMax, enablePush: false },
    })
    this.#server.on('session', (session) => this.#begin(session))
    this.#server.on('request', (request, response) => {
      this.#serve(request, response).catch((error: unknown) => this.#fail(response, error))
    })
    this.#server.on('connect', (request: Http2ServerRequest, response: Http2ServerResponse) => {
      const { openDoor: open, log } = deps
      serveDoor(request.authority, response, { open, log }).catch((error: unknown) => log.error('door failed', { error }))
    })
  }

  /** Serves a connection until it closes or the signal aborts; resolves to whether the controller ever synced over it. */
  async serve(socket: TLSSocket, signal: AbortSignal): Promise<boolean> {
    let hasSynced = false
    this.#session?.destroy()
    this.#machineGen = 0
    this.#onFirstSync = () => {
      hasSynced = true
    }
    socket.setNoDelay(true)
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    const end = () => {
      this.#session?.destroy()
      socket.destroy()
    }
    signal.addEventListener('abort', end, { once: true })
    this.#server.emit('connection', eagerSocket(socket))
    if (signal.aborted) end()
    await closed
    signal.removeEventListener('abort', end)
    this.#session = null
    return hasSynced
  }

  #begin(session: ServerHttp2Session): void {
    this.#session = session
    session.setLocalWindowSize(TUNNEL.connectionWindowBytes)
    session.on('error', (error) => this.#deps.log.debug('tunnel error', { error }))
    const { pingEveryMs, pingDeadlineMs } = { ...TUNNEL, ...this.#deps.timing }
    keepAlive(session, { everyMs: pingEveryMs, deadlineMs: pingDeadlineMs })
  }

  async #serve(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    if (request.method === 'POST' && request.url === '/v1/sync') await this.#sync(request, response)
    else if (request.method === 'GET' && request.url === '/v1/changes') this.#changes(response)
    else if (request.method === 'POST' && READ_PATHS.includes(request.url)) await this.#read(request, response)
    else answer(response, 404, { code: 'not_found' })
  }

  async #sync(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const asked = syncRequest.safeParse(parsed(await readText(request)))
    if (!asked.success) return answer(response, 400, { code: 'invalid' })
    const { protocol, machineGen, changes, desired } = asked.data
    if (protocol !== PROTOCOL.sync) return answer(response, 409, { code: 'protocol' })
    if (request.stream.session !== this.#session || machineGen < this.#machineGen) return answer(response, 409, { code: 'stale' })
    const { seen } = this.#deps
    // Refused before anything of it is taken over: what it orders is of another day.
    if (changes < seen.count)
      return answer(response, 409, { code: 'older_database', changes: seen.count } satisfies OlderDatabase)
    seen.saw(changes)
    this.#machineGen = machineGen
    this.#onFirstSync()
    answer(response, 200, { protocol, machineGen, ...(await this.#deps.sync(desired)) })
  }

  /** Only for the connection that synced: an older one may no longer ask for anything. */
  async #read(request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    const text = await readText(request)
    if (request.stream.session !== this.#session) return answer(response, 409, { code: 'stale' })
    await this.#deps.read({ path: request.url, body: parsed(text) }, response)
  }

  /** A line as soon as an observation changed, at most forty a second. */
  #changes(response: Http2ServerResponse): void {
    let count = 0
    let timer: NodeJS.Timeout | null = null
    response.writeHead(200, { 'content-type': 'text/plain' })
    response.write(`${count}\n`)
    let toldAt = Number.NEGATIVE_INFINITY
    const tell = () => {
      timer = null
      toldAt = performance.now()
      count += 1
      if (!response.stream?.destroyed) response.write(`${count}\n`)
    }
    const off = this.#deps.onChange(() => {
      timer ??= setTimeout(tell, Math.max(0, toldAt + CHANGE_GAP_MS - performance.now()))
    })
    response.on('close', () => {
      off()
      if (timer) clearTimeout(timer)
    })
  }

  #fail(response: Http2ServerResponse, error: unknown): void {
    this.#deps.log.warn('controller call failed', { error })
    answer(response, 503, { code: 'unavailable' })
  }
}

function answer(response: Http2ServerResponse, status: number, body: unknown): void {
  if (response.headersSent || !response.stream || response.stream.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // no JSON: the schema of whoever answers refuses null
  }
}

async function readText(request: Http2ServerRequest): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request) {
    parts.push(part)
    bytes += part.length
    if (bytes > REQUEST_BYTES_MAX) throw new Error(`a request has more than ${REQUEST_BYTES_MAX} bytes`)
  }
  return Buffer.concat(parts).toString('utf8')
}
