import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '@/kit/log'
import { egressSockets } from '../../egress/control-messages'
import type { EgressPolicy } from '../../egress/policy'
import { askEgress, dialEgress, EgressGone, type Question } from './egress-ask'
import { startEgress } from './egress-start'
import type { SaidById } from './egress-watch'
import type { HostCopy } from './host-copy'

/** The machine's egress process, started when it is needed and found again when it runs. */
export type EgressClient = {
  /** Gives an instance its way out, or a new policy. Resolves when its socket listens. */
  set(id: string, policy: EgressPolicy): Promise<string>
  /** Takes it away; open streams of it end. Never rejects for what the process says: its instance has ended already. */
  drop(id: string): Promise<void>
  /** Takes the policies of all others away, then sees to it that the process runs as long as there are some. */
  keep(isWanted: (id: string) => boolean): Promise<void>
  /** What each was refused and to whom it sent a lot since it was set; nothing when no process listens. */
  said(): Promise<SaidById>
}

export type EgressClientOptions = { dataDir: string; runtimeDir: string; log: Log; copy: () => Promise<HostCopy> }

const START_MS = 20_000
const POLL_MS = 25
const RESTART_PAUSE_MS = 250
const AGAIN_MS = 1000
/** So often is one asked that ends meanwhile, with another in its place each time. */
const TRIES = 3

/** The machine's egress process, started when it is first needed and again when it is gone. */
export function openEgressClient(options: EgressClientOptions): EgressClient {
  return new Client(options)
}

class Client implements EgressClient {
  readonly #options: EgressClientOptions
  readonly #sockets
  #queue: Promise<unknown> = Promise.resolve()
  #watched: Socket | null = null
  #isChecked = false

  constructor(options: EgressClientOptions) {
    this.#options = options
    this.#sockets = egressSockets(options.runtimeDir, join(options.dataDir, 'egress'))
  }

  set(id: string, policy: EgressPolicy): Promise<string> {
    return this.#inTurn(async () => {
      await this.#tell({ verb: 'set', id, policy }, TRIES)
      return this.#sockets.of(id)
    })
  }

  drop(id: string): Promise<void> {
    return this.#inTurn(() => this.#drop(id))
  }

  keep(isWanted: (id: string) => boolean): Promise<void> {
    return this.#inTurn(async () => {
      for (const id of this.#policies()) if (!isWanted(id)) await this.#drop(id)
      await this.#start()
    })
  }

  async said(): Promise<SaidById> {
    const socket = await dialEgress(this.#sockets.control)
    if (!socket) return new Map()
    const { refused, heavy } = await askEgress(socket, { verb: 'status' })
    const hostsOf = <H>(rows: { id: string; hosts: H[] }[], id: string) => rows.find((row) => row.id === id)?.hosts ?? []
    const ids = new Set([...refused, ...heavy].map(({ id }) => id))
    return new Map([...ids].map((id) => [id, { refused: hostsOf(refused, id), heavyHosts: hostsOf(heavy, id) }]))
  }

  /** One that ends while it is asked may have done nothing of it: the one in its place is asked again. */
  async #tell(question: Question, tries: number): Promise<void> {
    try {
      await askEgress(await this.#running(), question)
    } catch (error) {
      if (!(error instanceof EgressGone) || tries === 1) throw error
      await this.#tell(question, tries - 1)
    }
  }

  /** A process of another build may not understand it: then its policy goes from the disk, and with it at the next start. */
  async #drop(id: string): Promise<void> {
    try {
      const socket = await dialEgress(this.#sockets.control)
      if (socket) await askEgress(socket, { verb: 'drop', id })
    } catch (error) {
      this.#options.log.warn('the egress process did not drop a policy', { id, error })
    }
    await rm(join(this.#options.dataDir, 'egress', 'policies', `${id}.json`), { force: true })
  }

  async #start(): Promise<void> {
    if (this.#policies().length > 0) (await this.#running()).destroy()
  }

  /** A connection to the process, which is started when nobody listens. An older one that serves nobody makes room. */
  async #running(): Promise<Socket> {
    const found = await this.#found()
    if (found) return found
    await startEgress(this.#options)
    for (const end = Date.now() + START_MS; Date.now() < end; await wait(POLL_MS)) {
      const socket = await dialEgress(this.#sockets.control)
      if (socket) {
        await this.#watch()
        return socket
      }
    }
    throw new Error('the egress process did not start; its log says why')
  }

  async #found(): Promise<Socket | null> {
    if (!this.#isChecked) await this.#retireOld()
    this.#isChecked = true
    if (!this.#watched) await this.#watch()
    return dialEgress(this.#sockets.control)
  }

  async #retireOld(): Promise<void> {
    const socket = await dialEgress(this.#sockets.control)
    if (!socket) return
    const { code, ids } = await askEgress(socket, { verb: 'status' })
    if (code === (await this.#options.copy()).hash) return
    // One that does not say whom it serves may serve somebody.
    if (ids === null || ids.length > 0)
      return this.#options.log.info('the egress process is of another build and goes on', { code })
    const last = await dialEgress(this.#sockets.control)
    // Its end may come before its answer.
    if (last) await askEgress(last, { verb: 'end' }).catch(() => undefined)
    for (const end = Date.now() + START_MS; Date.now() < end; await wait(POLL_MS)) {
      const still = await dialEgress(this.#sockets.control)
      if (!still) return
      still.destroy()
    }
  }

  /** Its end is heard of at once: while instances need it, it comes back with the policies that are on disk. */
  async #watch(): Promise<void> {
    const socket = await dialEgress(this.#sockets.control)
    if (!socket) return
    this.#watched = socket
    socket.unref()
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      if (this.#watched === socket) this.#watched = null
      if (this.#policies().length > 0) this.#startSoon(RESTART_PAUSE_MS)
    })
    socket.resume()
  }

  /** Until it runs: without it no instance reaches anything, and nobody else would try. */
  #startSoon(pauseMs: number): void {
    const begin = () => {
      this.#inTurn(() => this.#start()).catch((error: unknown) => {
        this.#options.log.error('no egress process', { error })
        this.#startSoon(AGAIN_MS)
      })
    }
    setTimeout(begin, pauseMs).unref()
  }

  #policies(): string[] {
    const dir = join(this.#options.dataDir, 'egress', 'policies')
    const names = existsSync(dir) ? readdirSync(dir) : []
    return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length))
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work)
    this.#queue = result.catch(() => undefined)
    return result
  }
}
