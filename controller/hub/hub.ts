import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import type { MachineAnswer, MachineCall, MachineLink, MachineObservations } from '@/backends/agents/machine-link'
import type { Catalog } from '@/domain/catalog'
import { AppError } from '@/domain/errors'
import type { Machine } from '@/domain/machines'
import type { Clock } from '@/kit/clock'
import type { Log } from '@/kit/log'
import type { Door } from '@/protocol/paths'
import type { Db } from '@/server/store/db'
import { findCertificate } from '@/server/store/system/certificates'
import { machineById, markDisconnected, mintMachineGen } from '@/server/store/system/machines'
import { createAgentsDoor } from './agents-door'
import type { Authority } from './authority'
import { AgentConnection, TUNNEL_TIMING, type TunnelTiming } from './connection'
import { mintJoinToken } from './enrolment'
import { identify, type MachineIdentity } from './identity'
import { type Listener, listenForAgents } from './listener'
import { LINK_TIMING, type LinkTiming, RegisteredLink } from './registered-link'
import { sweepSilent } from './silent-sweep'

export type HubDeps = {
  db: Db
  log: Log
  catalog: Catalog
  authority: Authority
  /** Names this controller process in the contact rows of its machines. */
  controllerId: string
  clock: Clock
  /** Faster keepalive and ticks for tests. */
  timing?: Partial<TunnelTiming & LinkTiming>
}

export type Hub = {
  /** Listens for agents on a Unix socket. */
  listen(socketPath: string): Promise<void>
  /** Ends every connection; machines come back to whoever listens next. */
  close(): Promise<void>
  readonly link: MachineLink
  /** A token with which that machine joins, once, within 15 minutes. */
  mintJoinToken(machine: Machine): Promise<string>
  /** Calls back when observations of a machine changed, or its connection came or went. */
  onChange(listener: (machineId: string) => void): () => void
}

/** Where machines connect: enrolment, tunnels, and the synchronisation of what they run. */
export function createHub(deps: HubDeps): Hub {
  return new AgentsHub(deps)
}

/** Connections whose machine is not known yet; more wait for their next try. */
const UNKNOWN_MAX = 64
/** A connection that is half open does not answer in this time. */
const TWIN_ANSWERS_MS = 2000
/** A server that does not listen by itself has no timeouts: each connection for calls lives at most that long. */
const CALL_LIFE_MS = 60_000

type Registered = { machine: Machine; machineGen: number }

class AgentsHub implements Hub, MachineLink {
  readonly #deps: HubDeps
  readonly #timing: TunnelTiming & LinkTiming
  readonly #links = new Map<string, RegisteredLink>()
  readonly #running = new Set<Promise<void>>()
  readonly #listeners = new Set<(machineId: string) => void>()
  readonly #closing = new AbortController()
  #listener: Listener | null = null
  #unknown = 0

  constructor(deps: HubDeps) {
    this.#deps = deps
    this.#timing = { ...TUNNEL_TIMING, ...LINK_TIMING, ...deps.timing }
  }

  get link(): MachineLink {
    return this
  }

  async listen(socketPath: string): Promise<void> {
    const { authority, log } = this.#deps
    const door = createAgentsDoor(this.#deps)
    this.#listener = await listenForAgents(socketPath, {
      authority,
      log,
      onTunnel: (socket) => this.#admit(socket),
      onCall: (socket) => {
        const over = setTimeout(() => socket.destroy(), CALL_LIFE_MS)
        socket.once('close', () => clearTimeout(over))
        door.emit('connection', socket)
      },
    })
    const { sweepEveryMs: everyMs, silentMs } = this.#timing
    const sweep = { ...this.#deps, everyMs, silentMs }
    this.#track(sweepSilent(sweep, () => this.#links.values(), this.#closing.signal))
  }

  async close(): Promise<void> {
    this.#closing.abort()
    for (const link of this.#links.values()) link.close()
    await this.#listener?.close()
    await Promise.all(this.#running)
  }

  mintJoinToken(machine: Machine): Promise<string> {
    return mintJoinToken(this.#deps, machine)
  }

  onChange(listener: (machineId: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async sync(machineId: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    await orAborted((await this.#open(machineId)).sync(), signal)
  }

  observations(machineId: string): MachineObservations | null {
    return this.#links.get(machineId)?.observations ?? null
  }

  async connect(...[machineId, placementId, door, signal]: [string, string, Door, AbortSignal]): Promise<Duplex> {
    return (await this.#open(machineId)).connect(placementId, door, signal)
  }

  async call(machineId: string, call: MachineCall, signal: AbortSignal): Promise<MachineAnswer> {
    return (await this.#open(machineId)).ask(call, signal)
  }

  isConnected(machineId: string): boolean {
    return this.#links.get(machineId)?.isOpen ?? false
  }

  async #open(machineId: string): Promise<RegisteredLink> {
    const link = this.#links.get(machineId)
    if (link?.isOpen) return link
    const machine = await machineById(this.#deps.db, machineId)
    throw new AppError('unreachable', { machine: machine?.name ?? 'this machine' })
  }

  #admit(socket: TLSSocket): void {
    if (this.#unknown >= UNKNOWN_MAX || this.#closing.signal.aborted) {
      socket.destroy()
      return
    }
    this.#unknown += 1
    const registered = this.#register(socket).finally(() => {
      this.#unknown -= 1
    })
    this.#track(
      registered.then(
        (link) => link && this.#serve(link),
        (error: unknown) => {
          socket.destroy()
          this.#deps.log.warn('connection of a machine failed', { error })
        },
      ),
    )
  }

  /** The generation is minted in the database before anything is registered, so that an older connection can tell that it is one. */
  async #register(socket: TLSSocket): Promise<RegisteredLink | null> {
    const { db, log, clock, controllerId } = this.#deps
    const identity = await identify(socket, this.#deps)
    const machine = identity && (await machineById(db, identity.machineId))
    if (!identity || !machine) {
      log.warn('connection refused: not the certificate of a machine', { serial: socket.getPeerX509Certificate()?.serialNumber })
      socket.destroy()
      return null
    }
    if (await this.#isTwin(machine)) {
      socket.destroy()
      return null
    }
    const machineGen = await mintMachineGen(db, { machineId: machine.id, controllerId, at: clock.now() })
    const link = await this.#opened(socket, identity, { machine, machineGen }).catch((error: unknown) => {
      socket.destroy()
      log.warn('connection of a machine failed', { machineId: machine.id, error })
      return null
    })
    // The row says since then that it is connected.
    if (!link) await markDisconnected(db, { machineId: machine.id, machineGen })
    return link
  }

  async #opened(socket: TLSSocket, identity: MachineIdentity, of: Registered): Promise<RegisteredLink | null> {
    const { machine, machineGen } = of
    const connection = await AgentConnection.open(socket, this.#timing)
    const link = this.#linkOf(identity, { machine, machineGen, connection })
    const older = this.#links.get(machine.id)
    if (this.#closing.signal.aborted || (older && older.machineGen > machineGen)) {
      connection.close()
      return null
    }
    this.#links.set(machine.id, link)
    older?.close()
    this.#deps.log.info('machine connected', { machineId: machine.id, machineGen })
    return link
  }

  /**
   * Is another computer connected with this identity? One whose connection is trusted and answers is not replaced: a copied
   * disk must not take a machine's work over. An agent ends its own connection before it makes another.
   */
  async #isTwin(machine: Machine): Promise<boolean> {
    const older = this.#links.get(machine.id)
    if (!(await older?.isAlive(TWIN_ANSWERS_MS))) return false
    this.#deps.log.error('connection refused: another computer is connected with the identity of this machine', {
      machineId: machine.id,
      name: machine.name,
    })
    return true
  }

  #linkOf(identity: MachineIdentity, of: ConstructorParameters<typeof RegisteredLink>[1]): RegisteredLink {
    const { db, catalog, clock, log } = this.#deps
    const isStillTrusted = async () => {
      const row = await findCertificate(db, identity.serial)
      return row !== null && row.revokedAt === null
    }
    const onNews = (machineId: string) => this.#changed(machineId)
    return new RegisteredLink({ db, catalog, clock, log, timing: this.#timing, onNews, isStillTrusted }, of)
  }

  async #serve(link: RegisteredLink): Promise<void> {
    await link.run()
    if (this.#links.get(link.machine.id) === link) this.#links.delete(link.machine.id)
    this.#deps.log.info('machine disconnected', { machineId: link.machine.id, machineGen: link.machineGen })
  }

  #changed(machineId: string): void {
    for (const listener of [...this.#listeners]) listener(machineId)
  }

  #track(work: Promise<unknown>): void {
    const tracked: Promise<void> = work.then(
      () => undefined,
      (error: unknown) => this.#deps.log.error('work of the hub failed', { error }),
    )
    this.#running.add(tracked)
    tracked.finally(() => this.#running.delete(tracked)).catch(() => undefined)
  }
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}
