import { Agent, type AgentOptions, type ClientRequestArgs } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WorkloadBackend } from '@/backends/backend'
import type { Instance } from '@/domain/ids'
import { LIMITS } from '@/domain/limits'
import type { Door } from '@/protocol/paths'
import { openDoor } from './door-stream'

const OPTIONS: AgentOptions = { keepAlive: true, maxSockets: LIMITS.streamsPerUser, maxFreeSockets: 16 }

/**
 * Connections of one person to one door of one instance. Pools belong to a placement, so that no request lands on
 * the copy before it, and to a person, so that nobody's bytes can be left over in another one's connection.
 */
export class DoorAgent extends Agent {
  readonly #backend: Pick<WorkloadBackend, 'connect'>
  readonly #instance: Instance
  readonly #door: Door
  #usedAt = performance.now()

  constructor(backend: Pick<WorkloadBackend, 'connect'>, to: { instance: Instance; door: Door }) {
    super(OPTIONS)
    this.#backend = backend
    this.#instance = to.instance
    this.#door = to.door
  }

  touch(): void {
    this.#usedAt = performance.now()
  }

  /** Has nothing under way and was not used for so long. */
  isIdle(ms: number): boolean {
    const busy = Object.keys(this.sockets).length + Object.keys(this.requests).length
    return busy === 0 && performance.now() - this.#usedAt > ms
  }

  override createConnection(_options: ClientRequestArgs, callback?: (error: Error | null, stream: Duplex) => void): undefined {
    openDoor(this.#backend, this.#instance, this.#door).then(
      (stream) => callback?.(null, likeSocket(stream)),
      // Node's own type wants a stream beside an error, which does not exist.
      (error: unknown) => callback?.(asError(error), undefined as never),
    )
  }
}

/** node:http calls these on every connection; a stream inside a tunnel has no such thing. */
const SOCKET_METHODS = ['setTimeout', 'setNoDelay', 'setKeepAlive', 'ref', 'unref'] as const

function likeSocket(stream: Duplex): Duplex {
  for (const name of SOCKET_METHODS) {
    if (!(name in stream)) Object.defineProperty(stream, name, { value: () => stream })
  }
  // An instance that closes its side of an idle connection must not leave it in the pool.
  const destroy = () => setImmediate(() => stream.destroy())
  stream.once('end', destroy)
  stream.once('agentRemove', () => stream.off('end', destroy))
  return stream
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error('no connection', { cause: error })
}
