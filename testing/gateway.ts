import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { v7 as uuidv7 } from 'uuid'
import { WebSocket } from 'ws'
import type { WorkloadBackend } from '@/backends/backend'
import { FakeRecords } from '@/backends/fake/fake-records'
import { createGateway, type Gateway } from '@/controller/gateway/gateway'
import { AppError } from '@/domain/errors'
import type { Instance } from '@/domain/ids'
import { because } from '@/domain/reasons'
import { addresses } from '@/domain/settings'
import type { Workload } from '@/domain/workloads'
import { createLog } from '@/kit/log'
import type { Door } from '@/protocol/paths'
import { placeWorkload, toParked, toParking, toRunning } from '@/server/service/controller-moves'
import type { Ctx, Person } from '@/server/service/ctx'
import { resumeWorkload } from '@/server/service/operations'
import { mintTicket } from '@/server/service/tickets'
import type { Db } from '@/server/store/db'
import { insertSignIn } from '@/server/store/system/sign-ins'
import { TestClock } from './clock'
import { freePortPair } from './free-ports'
import { createInput, ctxFor, placementLease, type Seed, seedMachine, seedPlaced, seedTenant } from './seed'

/** A gateway on real sockets, whose doors are Unix sockets that a test registers. Everything it logs is in `logged()`. */
export type TestGateway = {
  port: number
  dashboardPort: number
  gateway: Gateway
  clock: TestClock
  db: Db
  logged(): string
  /** Every connection that was made to a door, so that a test can count and cut them. */
  dialled: { instance: Instance; door: Door; stream: Socket }[]
  /** Awaited before each connection to a door, so that a test can hold it up. */
  beforeConnect: () => Promise<void>
  /** What machines keep to be read; a test may put another one in its place. */
  kept: {
    read: WorkloadBackend['read']
    search: WorkloadBackend['search']
    notebooks: WorkloadBackend['notebooks']
    records: FakeRecords
  }
  setDoor(placementId: string, door: Door, socketPath: string | null): void
  request(asked: Asked): Promise<Answer>
  upgrade(asked: { host: string; path: string; headers?: Record<string, string> }): Promise<WebSocket | { status: number }>
  /** A controller that starts anew on the same ports and store. */
  restart(): Promise<void>
  close(): Promise<void>
}
type Asked = {
  host: string
  path: string
  method?: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer
  signal?: AbortSignal
}
export type Answer = { status: number; headers: IncomingHttpHeaders; rawHeaders: string[]; body: string; isComplete: boolean }

export async function startGateway(db: Db, options: { clock?: TestClock; runtimeDir?: string } = {}): Promise<TestGateway> {
  const clock = options.clock ?? new TestClock()
  const port = (await freePortPair()) + 1
  const doors = new Map<string, string>()
  const dialled: TestGateway['dialled'] = []
  const logs = new PassThrough()
  const lines: Buffer[] = []
  logs.on('data', (line: Buffer) => lines.push(line))
  const backend = {
    connect: async (instance: Instance, door: Door, signal: AbortSignal) => {
      const path = doors.get(`${instance.placementId} ${door}`)
      if (path === undefined) throw new AppError('not_found', { what: 'instance' })
      await test.beforeConnect()
      const stream = await dial(path, signal)
      dialled.push({ instance, door, stream })
      return stream
    },
    read: (...asked: Parameters<WorkloadBackend['read']>) => test.kept.read(...asked),
    search: (...asked: Parameters<WorkloadBackend['search']>) => test.kept.search(...asked),
    notebooks: (...asked: Parameters<WorkloadBackend['notebooks']>) => test.kept.notebooks(...asked),
  }
  const records = new FakeRecords()
  const log = createLog('gateway', { level: 'debug', destination: logs })
  const settings = { BERTH_PORT: port - 1, BERTH_RUNTIME_DIR: options.runtimeDir ?? '/nonexistent' }
  const make = () => createGateway({ db, log, settings, backend, clock })
  const test: TestGateway = {
    port,
    dashboardPort: port - 1,
    gateway: make(),
    clock,
    db,
    dialled,
    beforeConnect: async () => undefined,
    kept: {
      records,
      read: async (_machine, ask) => records.read(ask),
      search: async (_machine, ask) => records.search(ask),
      notebooks: async (_machine, ask) => records.notebooks(ask),
    },
    logged: () => Buffer.concat(lines).toString('utf8'),
    setDoor: (placementId, door, path) => {
      if (path === null) doors.delete(`${placementId} ${door}`)
      else doors.set(`${placementId} ${door}`, path)
    },
    request: (asked) => send(port, asked),
    upgrade: (asked) => upgrade(port, asked),
    restart: async () => {
      await test.gateway.close()
      test.gateway = make()
      await test.gateway.listen()
    },
    close: () => test.gateway.close(),
  }
  await test.gateway.listen()
  return test
}

/** A session that runs, its owner signed in: what a person has before they open anything. */
export type Opened = { seed: Seed; ctx: Ctx; workload: Workload; label: string; host: string; placementId: string }

export async function seedRunning(
  test: TestGateway,
  change: { seed?: Seed; person?: Person; input?: object } = {},
): Promise<Opened> {
  const { db, clock } = test
  const seed = change.seed ?? (await seedTenant(db))
  const machine = await seedMachine(db, seed)
  const signInId = await seedSignIn(test, (change.person ?? seed.owner).id)
  const ctx = ctxFor(db, seed, { clock, signInId, ...(change.person ? { person: change.person } : {}) })
  const placed = await seedPlaced(ctx, machine, createInput({ ...change.input }))
  const workload = await toRunning(db, { workload: placed, reason: because('started', {}), at: clock.now(), hasWorkspace: true })
  const placementId = workload.placement?.id ?? ''
  const host = addresses(test.dashboardPort).workloadHost(workload.label)
  return { seed, ctx, workload, label: workload.label, host, placementId }
}

/** The same workload after a park and a resume: it runs at a new placement. */
export async function seedAgain(test: TestGateway, opened: Opened): Promise<Opened> {
  const { db, clock } = test
  const at = clock.now()
  const reason = because('parked', {})
  const parking = await toParking(db, { workload: opened.workload, reason, at })
  await toParked(db, { workload: parking, reason, at })
  const queued = await resumeWorkload(opened.ctx, opened.workload.id)
  const { epoch } = await placementLease(db)
  const machineId = opened.workload.placement?.machineId ?? ''
  const request = { workload: queued, machineId, catalog: opened.ctx.catalog, epoch, placementId: uuidv7(), at }
  const placed = await placeWorkload(db, request)
  if (!placed) throw new Error('not placed again')
  const workload = await toRunning(db, { workload: placed, reason: because('started', {}), at })
  return { ...opened, workload, placementId: workload.placement?.id ?? '' }
}

export async function seedSignIn(test: Pick<TestGateway, 'db' | 'clock'>, userId: string): Promise<string> {
  const id = uuidv7()
  const at = test.clock.now()
  const expiresAt = new Date(at.getTime() + 7 * 86_400_000)
  await insertSignIn(test.db, { id, userId, secretHash: uuidv7(), device: 'test', address: '127.0.0.1', at, expiresAt })
  return id
}

/** Goes the whole way in as a browser does, and returns the `Cookie` header with the pass. */
export async function enterWorkload(test: TestGateway, opened: Opened, ctx: Ctx = opened.ctx): Promise<string> {
  const { nonce, nonceHash } = await startEntering(test, opened)
  const { ticket } = await mintTicket(ctx, { workloadId: opened.workload.id, purpose: 'http', nonceHash })
  const answer = await postTicket(test, opened, { ticket, nonce })
  if (answer.status !== 200) throw new Error(`not entered: ${answer.status} ${answer.body}`)
  return cookieOf(answer, '__Host-berth_app')
}

export async function startEntering(test: TestGateway, opened: Opened): Promise<{ nonce: string; nonceHash: string }> {
  const answer = await test.request({ host: opened.host, path: '/.berth/start' })
  const nonceHash = new URL(answer.headers.location ?? '').searchParams.get('n') ?? ''
  return { nonce: cookieOf(answer, '__Host-berth_pre'), nonceHash }
}

export function postTicket(
  test: TestGateway,
  opened: Pick<Opened, 'host'>,
  given: { ticket: string; nonce: string; headers?: Record<string, string> },
): Promise<Answer> {
  return test.request({
    host: opened.host,
    path: '/.berth/enter',
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: `http://${opened.host}`, cookie: given.nonce, ...given.headers },
    body: JSON.stringify({ ticket: given.ticket }),
  })
}

/** `name=value` of a cookie that an answer sets. */
export function cookieOf(answer: Answer, name: string): string {
  const line = answer.headers['set-cookie']?.find((cookie) => cookie.startsWith(`${name}=`)) ?? ''
  return line.split(';', 1)[0] ?? ''
}

function send(port: number, asked: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { host, path, method = 'GET', headers = {}, body } = asked
    const request = httpRequest(
      { host: '127.0.0.1', port, path, method, headers: { host, ...headers }, agent: false, signal: asked.signal },
      (answer) => {
        const pieces: Buffer[] = []
        const done = () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            rawHeaders: answer.rawHeaders,
            body: Buffer.concat(pieces).toString('utf8'),
            isComplete: answer.complete,
          })
        answer.on('data', (piece: Buffer) => pieces.push(piece))
        answer.on('error', done)
        answer.on('close', done)
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

function upgrade(port: number, asked: { host: string; path: string; headers?: Record<string, string> }) {
  return new Promise<WebSocket | { status: number }>((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${asked.path}`, { headers: { host: asked.host, ...asked.headers } })
    socket.on('open', () => resolve(socket))
    socket.on('unexpected-response', (_request, answer) => {
      answer.resume()
      resolve({ status: answer.statusCode ?? 0 })
    })
    socket.on('error', () => resolve({ status: 0 }))
  })
}

function dial(path: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    signal.addEventListener('abort', () => socket.destroy(new Error('too late')))
    socket.once('connect', () => resolve(socket))
    socket.once('error', (cause) => reject(new AppError('unreachable', { machine: 'box' }, { cause })))
  })
}
