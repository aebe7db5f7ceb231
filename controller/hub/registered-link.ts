import type { Duplex } from 'node:stream'
import type { MachineAnswer, MachineCall, MachineObservations } from '@/backends/agents/machine-link'
import { AppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'
import type { Machine } from '@/domain/machines'
import { pause } from '@/kit/loop'
import type { Door } from '@/protocol/paths'
import { changeLine } from '@/protocol/sync'
import { markDisconnected } from '@/server/store/system/machines'
import type { AgentConnection } from './connection'
import { MachineSync, type MachineSyncDeps, Superseded } from './machine-sync'
import { SyncPump } from './sync-pump'

export type LinkTiming = {
  syncEveryMs: number
  changeGapMs: number
  trustEveryMs: number
  sweepEveryMs: number
  silentMs: number
}
/** What a running controller waits; tests wait less. */
export const LINK_TIMING: LinkTiming = {
  ...{ syncEveryMs: 10_000, changeGapMs: 200, trustEveryMs: 1500, sweepEveryMs: 10_000 },
  silentMs: LIMITS.machineSilentSeconds * 1000,
}

type LinkDeps = MachineSyncDeps & {
  timing: LinkTiming
  /** Observations of a machine changed, or its connection came or went. */
  onNews: (machineId: string) => void
  /** Is the certificate of this connection still good? Asked every `trustEveryMs`, with new orders: a revoked machine leaves within two seconds. */
  isStillTrusted: () => Promise<boolean>
}

const CHANGE_CHARS_MAX = 20
const REOPEN_MS = 1000

/** One registered connection of one machine: it is synchronised on demand, when the agent says that something changed, and at each tick. */
export class RegisteredLink {
  readonly machine: Pick<Machine, 'id' | 'name'>
  readonly machineGen: number
  readonly #deps: LinkDeps
  readonly #connection: AgentConnection
  readonly #sync: MachineSync
  readonly #pump: SyncPump
  readonly #ended = new AbortController()
  #lastSyncAt = Number.NEGATIVE_INFINITY

  constructor(deps: LinkDeps, of: { machine: Pick<Machine, 'id' | 'name'>; machineGen: number; connection: AgentConnection }) {
    this.machine = of.machine
    this.machineGen = of.machineGen
    this.#deps = deps
    this.#connection = of.connection
    this.#sync = new MachineSync(deps, { machineId: of.machine.id, machineGen: of.machineGen, connection: of.connection })
    this.#pump = new SyncPump(() => this.#syncOnce())
  }

  get isOpen(): boolean {
    return this.#connection.isOpen && !this.#ended.signal.aborted
  }

  get observations(): MachineObservations | null {
    return this.isOpen ? this.#sync.last : null
  }

  /** Serves the link until its connection is over; then nothing is known of the machine any more. */
  async run(): Promise<void> {
    const { signal } = this.#ended
    const loops = Promise.all([this.#watch(signal), this.#tick(signal), this.#followChanges(signal)])
    await this.#connection.closed
    this.#ended.abort()
    await loops
    await markDisconnected(this.#deps.db, { machineId: this.machine.id, machineGen: this.machineGen })
    this.#deps.onNews(this.machine.id)
  }

  close(): void {
    this.#ended.abort()
    this.#connection.close()
  }

  /** Resolves once an answer to the desired state as it is now is stored. Error: `unreachable`. */
  sync(): Promise<void> {
    return this.#pump.request().catch((cause: unknown) => {
      throw new AppError('unreachable', { machine: this.machine.name }, { cause })
    })
  }

  connect(placementId: string, door: Door, signal: AbortSignal): Promise<Duplex> {
    return this.#connection.connect({ placementId, door, machine: this.machine.name }, signal)
  }

  ask(call: MachineCall, signal: AbortSignal): Promise<MachineAnswer> {
    return this.#connection.ask({ ...call, machine: this.machine.name }, signal)
  }

  async #syncOnce(): Promise<void> {
    this.#lastSyncAt = performance.now()
    try {
      if (await this.#sync.run()) this.#deps.onNews(this.machine.id)
    } catch (error) {
      if (error instanceof Superseded) this.close()
      throw error
    }
  }

  async #tick(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (await this.#isTrusted()) await this.#tryToSync()
      await pause(this.#deps.timing.syncEveryMs, signal)
    }
  }

  async #watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (!(await this.#isTrusted())) this.close()
      else if (await this.#hasNewOrders()) await this.#tryToSync()
      await pause(this.#deps.timing.trustEveryMs, signal)
    }
  }

  /** Is a computer at the other end that is trusted and answers now? */
  async isAlive(withinMs: number): Promise<boolean> {
    return this.isOpen && (await this.#isTrusted()) && (await this.#connection.answers(withinMs))
  }

  async #isTrusted(): Promise<boolean> {
    try {
      return await this.#deps.isStillTrusted()
    } catch (error) {
      this.#deps.log.warn('certificate not looked up', { machineId: this.machine.id, error })
      return true // a database that does not answer now revokes nothing; the next tick asks again
    }
  }

  /** What a person decides about an orphan moves no workload, so that no change signal tells of it. */
  async #hasNewOrders(): Promise<boolean> {
    return this.#sync.hasNewOrders().catch(() => false) // the next look asks again
  }

  /** Follows the agent's change stream at once, a burst of changes too, such as a start is; a flood only every `changeGapMs`. */
  async #followChanges(signal: AbortSignal): Promise<void> {
    const { log, timing } = this.#deps
    const burst = new Burst(timing.changeGapMs)
    while (!signal.aborted && this.#connection.isOpen) {
      try {
        for await (const line of this.#connection.lines('/v1/changes', CHANGE_CHARS_MAX)) {
          if (!changeLine.safeParse(line).success) continue
          const waitMs = this.#lastSyncAt + burst.gapMs(performance.now()) - performance.now()
          if (waitMs > 0) await pause(waitMs, signal)
          if (!signal.aborted) await this.#tryToSync()
        }
      } catch (error) {
        if (!signal.aborted) log.debug('change stream ended', { machineId: this.machine.id, error })
      }
      await pause(REOPEN_MS, signal)
    }
  }

  async #tryToSync(): Promise<void> {
    await this.#pump.request().catch((error: unknown) => {
      if (this.isOpen) this.#deps.log.warn('machine not synchronised', { machineId: this.machine.id, error })
    })
  }
}

const BURST = 12

/** So many may follow each other closely; then one in each `slowMs`, and what was not used comes back as slowly. */
class Burst {
  readonly #slowMs: number
  #left = BURST
  #at = 0
  constructor(slowMs: number) {
    this.#slowMs = slowMs
  }

  /** The gap in front of the next one, at that time. */
  gapMs(now: number): number {
    this.#left = Math.min(BURST, this.#left + (now - this.#at) / this.#slowMs)
    this.#at = now
    if (this.#left < 1) return this.#slowMs
    this.#left -= 1
    return this.#slowMs / 8
  }
}
