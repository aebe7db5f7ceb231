import { mkdir, readdir, rm } from 'node:fs/promises'
import type { Server as HttpServer } from 'node:http'
import type { Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Log } from '@/kit/log'
import { listenOn } from '../host/relay'
import { readJsonFile, writeJsonFile } from '../json-file'
import type { Audit, AuditLine } from './audit'
import { openAudit } from './audit'
import type { FromEgress, ToEgress } from './control-messages'
import { EGRESS_PROTOCOL, egressSockets, toEgress } from './control-messages'
import type { EgressPolicy } from './policy'
import { egressPolicy } from './policy'
import type { Dial } from './proxy'
import { createProxy } from './proxy'
import { Refusals } from './refusals'
import type { Resolve } from './vet'
import { systemResolve } from './vet'
import { Volumes } from './volumes'

export type EgressOptions = {
  /** Policies and audit. */
  stateDir: string
  runtimeDir: string
  /** Names the copy of the code that runs. */
  code: string
  log: Log
  now: () => Date
  /** Called when nobody has used it for a while, or when it was told to end. */
  idle: () => void
  idleMs?: number
  resolve?: Resolve
  dial?: Dial
}
type Served = { policy: EgressPolicy; server: HttpServer; sockets: Set<Socket>; refusals: Refusals; volumes: Volumes }

const IDLE_MS = 60_000

/**
 * The machine's way out for every instance: one socket each, which is its identity. Policies come from the agent and are
 * kept on disk, so that neither an agent's restart nor its own changes what is allowed.
 */
export class EgressService {
  readonly #options: EgressOptions
  readonly #paths
  readonly #served = new Map<string, Served>()
  readonly #agents = new Set<Socket>()
  readonly #audit: Audit
  readonly #control: Server
  #queue: Promise<unknown> = Promise.resolve()
  #idleTimer: NodeJS.Timeout | undefined

  constructor(options: EgressOptions) {
    this.#options = options
    this.#paths = egressSockets(options.runtimeDir, options.stateDir)
    this.#audit = openAudit(options.stateDir, { now: options.now })
    this.#control = createServer((agent) => this.#accept(agent))
  }

  /** Serves the policies on disk and listens to agents. */
  async start(): Promise<void> {
    await mkdir(this.#paths.dir, { recursive: true, mode: 0o700 })
    const dir = this.#policyDir()
    await mkdir(dir, { recursive: true, mode: 0o700 })
    for (const name of await readdir(dir)) {
      const id = /^([0-9a-f]{32})\.json$/.exec(name)?.[1]
      const policy = id ? await readJsonFile(join(dir, name), egressPolicy) : null
      if (id && policy) await this.#serve(id, policy)
    }
    await listenOn(this.#control, { path: this.#paths.control })
    this.#watchIdle()
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer)
    this.#control.close()
    for (const agent of this.#agents) agent.destroy()
    for (const id of [...this.#served.keys()]) this.#leave(id)
    this.#audit.close()
  }

  #accept(agent: Socket): void {
    this.#agents.add(agent)
    clearTimeout(this.#idleTimer)
    agent.on('error', () => agent.destroy())
    agent.on('close', () => {
      this.#agents.delete(agent)
      this.#watchIdle()
    })
    const lines = createInterface({ input: agent })
    // The reader repeats the socket's errors, which are answered above.
    lines.on('error', () => undefined)
    lines.on('line', (line) => {
      this.#queue = this.#queue.then(() => this.#answer(agent, line))
    })
  }

  async #answer(agent: Socket, line: string): Promise<void> {
    const message = parse(line)
    if (!message) return void agent.destroy()
    let ok = true
    try {
      await this.#obey(message)
    } catch (error) {
      ok = false
      this.#options.log.error('could not obey', { verb: message.verb, error })
    }
    const answer: FromEgress = {
      seq: message.seq,
      ok,
      protocol: EGRESS_PROTOCOL,
      code: this.#options.code,
      ids: [...this.#served.keys()],
      refused: message.verb === 'status' ? this.#refused() : [],
      heavy: message.verb === 'status' ? this.#heavy() : [],
    }
    if (!agent.destroyed) agent.write(`${JSON.stringify(answer)}\n`)
  }

  async #obey(message: ToEgress): Promise<void> {
    if (message.verb === 'set') {
      await writeJsonFile(this.#policyFile(message.id), message.policy)
      await this.#serve(message.id, message.policy)
    } else if (message.verb === 'drop') {
      await rm(this.#policyFile(message.id), { force: true })
      this.#leave(message.id)
    } else if (message.verb === 'end' && this.#served.size === 0) this.#options.idle()
  }

  async #serve(id: string, policy: EgressPolicy): Promise<void> {
    const known = this.#served.get(id)
    if (known) {
      known.policy = policy
      return
    }
    const { log: _log, ...rest } = this.#options
    const [refusals, volumes] = [new Refusals(), new Volumes()]
    const write = (line: AuditLine) => {
      refusals.add(line)
      this.#audit.write(line)
    }
    const served: Served = {
      policy,
      refusals,
      volumes,
      sockets: new Set(),
      server: createProxy({
        ...rest,
        id,
        audit: { write },
        counted: (host, upstream) => volumes.watch(host, upstream),
        resolve: rest.resolve ?? systemResolve,
        policy: () => served.policy,
      }),
    }
    served.server.on('connection', (socket) => {
      served.sockets.add(socket)
      socket.once('close', () => served.sockets.delete(socket))
    })
    await listenOn(served.server, { path: this.#paths.of(id) })
    this.#served.set(id, served) // only now: what does not listen must be tried again when it is set again
  }

  #refused(): FromEgress['refused'] {
    const all = [...this.#served].map(([id, { refusals }]) => ({ id, hosts: refusals.list() }))
    return all.filter(({ hosts }) => hosts.length > 0)
  }

  #heavy(): FromEgress['heavy'] {
    const all = [...this.#served].map(([id, { volumes }]) => ({ id, hosts: volumes.heavyHosts() }))
    return all.filter(({ hosts }) => hosts.length > 0)
  }

  #leave(id: string): void {
    const served = this.#served.get(id)
    this.#served.delete(id)
    served?.server.close()
    for (const socket of served?.sockets ?? []) socket.destroy()
  }

  #watchIdle(): void {
    clearTimeout(this.#idleTimer)
    if (this.#agents.size > 0) return
    this.#idleTimer = setTimeout(() => {
      if (this.#served.size === 0 && this.#agents.size === 0) this.#options.idle()
    }, this.#options.idleMs ?? IDLE_MS)
  }

  #policyDir(): string {
    return join(this.#options.stateDir, 'policies')
  }

  #policyFile(id: string): string {
    return join(this.#policyDir(), `${id}.json`)
  }
}

function parse(line: string): ToEgress | null {
  try {
    return toEgress.parse(JSON.parse(line))
  } catch {
    return null // Not a message of ours: the caller closes the connection.
  }
}
