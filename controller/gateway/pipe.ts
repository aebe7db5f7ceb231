import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createProxyServer } from 'httpxy'
import type { WorkloadBackend } from '@/backends/backend'
import type { Instance } from '@/domain/ids'
import type { Log } from '@/kit/log'
import { cleanAnswer, cleanUpgradeAnswer } from './answer-headers'
import { carry } from './carry'
import { DoorAgent } from './door-agent'
import { DoorPool } from './door-pool'
import { isPortClosed } from './door-stream'
import type { DoorTokens } from './door-tokens'
import { type Refusal, refuse, refuseUpgrade } from './refusals'
import { cleanRequest } from './request-headers'

/** Which door of which instance, whose connections to it, and what its workload is called. */
export type PipeTarget = { instance: Instance; door: 'main' | number; userId: string; name: string }
type Unanswered = {
  request: IncomingMessage | undefined
  to: ServerResponse | Socket | undefined
  target?: PipeTarget
}
type PipeDeps = { backend: Pick<WorkloadBackend, 'connect'>; log: Log; tokens: DoorTokens }

const IDLE_AGENT_MS = 60_000
const UPGRADE_MS = 10_000

/**
 * Carries requests and upgrades to the web server of an instance and back, unbuffered, with headers cleaned on both ways.
 * An answer that breaks off is broken off for the browser too: it never looks complete.
 */
export class Pipe {
  readonly #backend: Pick<WorkloadBackend, 'connect'>
  readonly #log: Log
  readonly #tokens: DoorTokens
  readonly #pools = new Map<string, DoorPool>()
  /** Of upgrades, which take their connection with them. */
  readonly #agents = new Map<string, DoorAgent>()
  readonly #proxy = createProxyServer()
  readonly #switched = new WeakSet<object>()

  constructor(deps: PipeDeps) {
    this.#backend = deps.backend
    this.#log = deps.log
    this.#tokens = deps.tokens
    this.#proxy.on('proxyReqWs', (request, _from, socket) => this.#watchUpgrade(request, socket))
    this.#proxy.on('error', (error, request, to) => this.#failed(error, { request, to }))
    this.#proxy.on('econnreset', (_error, _request, to) => to.destroy())
  }

  web(request: IncomingMessage, response: ServerResponse, target: PipeTarget): void {
    this.#clean(request, target, false)
    const done = carry({ request, response }, this.#poolFor(target)).then(
      (error) => error && this.#failed(error, { request, to: response, target }),
    )
    this.#settle(done)
  }

  upgrade(request: IncomingMessage, client: { socket: Socket; head: Buffer }, target: PipeTarget): void {
    this.#clean(request, target, true)
    const options = { target: TARGET, agent: this.#agentFor(target), upgradeTimeout: UPGRADE_MS }
    this.#settle(this.#proxy.ws(request, client.socket, options, client.head))
  }

  /** Forgets pools that nobody used for a minute; those of a former placement end that way too. */
  sweep(): void {
    for (const [key, pool] of this.#pools) {
      if (!pool.isIdle(IDLE_AGENT_MS)) continue
      pool.close()
      this.#pools.delete(key)
    }
    for (const [key, agent] of this.#agents) {
      if (!agent.isIdle(IDLE_AGENT_MS)) continue
      agent.destroy()
      this.#agents.delete(key)
    }
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy()
    this.#agents.clear()
    for (const pool of this.#pools.values()) pool.close()
    this.#pools.clear()
  }

  #poolFor(target: PipeTarget): DoorPool {
    const key = keyOf(target)
    const pool = this.#pools.get(key) ?? new DoorPool(this.#backend, target)
    this.#pools.set(key, pool)
    return pool
  }

  #clean(request: IncomingMessage, { instance, door }: PipeTarget, isUpgrade: boolean): void {
    const token = door === 'main' ? this.#tokens.of(instance.placementId) : null
    cleanRequest(request.headers, { host: request.headers.host ?? '', address: addressOf(request), isUpgrade, token })
  }

  #agentFor(target: PipeTarget): DoorAgent {
    const key = keyOf(target)
    const agent = this.#agents.get(key) ?? new DoorAgent(this.#backend, target)
    this.#agents.set(key, agent)
    agent.touch()
    return agent
  }

  /** Runs before the library's own listeners, so that it finds cleaned headers. */
  #watchUpgrade(request: ClientRequest, socket: Socket): void {
    request.once('upgrade', (answer, upstream) => {
      this.#switched.add(socket)
      cleanUpgradeAnswer(answer.headers)
      // Piping carries an orderly end only: a browser that is cut off takes the workload's side with it.
      socket.once('close', () => upstream.destroy())
    })
    request.once('response', (answer) => {
      this.#switched.add(socket)
      cleanAnswer(answer.headers)
    })
  }

  #failed(error: Error, { request, to, target }: Unanswered): void {
    this.#log.info('a workload did not answer', { error })
    if (!to || !request) return
    if ('writeHead' in to) {
      if (to.headersSent) to.destroy()
      else refuse({ request, response: to }, whyNot(error, target))
      return
    }
    if (this.#switched.has(to) || to.destroyed) to.destroy()
    else refuseUpgrade(to, { code: 'unreachable' })
  }

  #settle(done: Promise<unknown>): void {
    done.catch((error: unknown) => this.#log.info('a request to a workload broke off', { error }))
  }
}

/** A door that is a port, and at which nothing answers, is no machine out of reach. */
function whyNot(error: Error, target: PipeTarget | undefined): Refusal {
  if (typeof target?.door !== 'number' || !isPortClosed(error)) return { code: 'unreachable' }
  return { code: 'port_closed', port: target.door, name: target.name }
}

/** Names nothing: connections come from the agent. */
const TARGET = 'http://127.0.0.1'

function keyOf({ instance, door, userId }: PipeTarget): string {
  return `${instance.placementId} ${door} ${userId}`
}

function addressOf(request: IncomingMessage): string {
  return request.socket.remoteAddress ?? ''
}
