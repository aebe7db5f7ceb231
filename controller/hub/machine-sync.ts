import type { MachineObservations } from '@/backends/agents/machine-link'
import type { Catalog } from '@/domain/catalog'
import { deviceClass } from '@/domain/gpu-class'
import { LIMITS } from '@/domain/limits'
import type { Inventory } from '@/domain/machines'
import type { Clock } from '@/kit/clock'
import type { Log } from '@/kit/log'
import {
  type DesiredInstance,
  type ObservedInstance,
  olderDatabase,
  type SyncAnswer,
  type SyncRequest,
  syncAnswer,
} from '@/protocol/sync'
import { PROTOCOL } from '@/protocol/version'
import { readCounter } from '@/server/store/counter'
import type { Db } from '@/server/store/db'
import { placementsByIds } from '@/server/store/placements'
import { addSample, saveInventory, touchContact } from '@/server/store/system/machines'
import { type Ack, ackWants, type DesiredPlacement, desiredOn } from '@/server/store/system/placements'
import { beginQuarantine, isQuarantined } from '@/server/store/system/setup'
import type { AgentConnection } from './connection'
import { HostKeeper } from './host-keeper'
import { OrphanWatch } from './orphan-watch'
import { RefusalKeeper } from './refusal-keeper'
import { UseKeeper } from './use-keeper'
import { VolumeKeeper } from './volume-keeper'

export type MachineSyncDeps = { db: Db; catalog: Catalog; clock: Clock; log: Log }

/** A newer connection of the machine exists; nothing of this one counts any more. */
export class Superseded extends Error {
  constructor() {
    super('a newer connection of this machine exists')
    this.name = 'Superseded'
  }
}

const INVENTORY_EVERY_MS = 60_000
/** A database that is older by more changes than this is a lie: the counter would run out of room. */
const GAP_MAX = 10_000_000

/**
 * Synchronises one connection of one machine: sends what the store wants, checks the answer whole before anything of it
 * is kept, and remembers what the machine said. Level-based: running it again changes nothing.
 */
export class MachineSync {
  readonly #deps: MachineSyncDeps
  readonly #machineId: string
  readonly #machineGen: number
  readonly #connection: Pick<AgentConnection, 'call'>
  /** Placements of the answers that the store knows; what is read here of a row never changes. */
  readonly #known = new Map<string, { workloadId: string; workloadGen: number; isOwn: boolean }>()
  readonly #orphans: OrphanWatch
  readonly #uses: UseKeeper
  readonly #refusals: RefusalKeeper
  readonly #hosts: HostKeeper
  readonly #volumes: VolumeKeeper
  #last: MachineObservations | null = null
  #sampledAt = 0
  #savedInventory: { stable: string; whole: string; at: number } | null = null

  constructor(deps: MachineSyncDeps, to: { machineId: string; machineGen: number; connection: Pick<AgentConnection, 'call'> }) {
    this.#deps = deps
    this.#machineId = to.machineId
    this.#machineGen = to.machineGen
    this.#connection = to.connection
    this.#orphans = new OrphanWatch(deps, to.machineId)
    this.#uses = new UseKeeper(deps)
    this.#refusals = new RefusalKeeper(deps)
    this.#hosts = new HostKeeper(deps)
    this.#volumes = new VolumeKeeper(deps)
  }

  /** Did a person decide about an orphan since the machine was last told? In quarantine it is told nothing. */
  async hasNewOrders(): Promise<boolean> {
    return (await this.#orphans.hasNews()) && !(await isQuarantined(this.#deps.db))
  }

  get last(): MachineObservations | null {
    return this.#last
  }

  /** One round trip. Resolves to whether the controller has something new to look at. */
  async run(): Promise<boolean> {
    const { db, clock } = this.#deps
    const { desired, orders } = await this.#wanted()
    const said = await this.#ask([...desired.map(toMessage), ...orders])
    const at = clock.now()
    if (!(await touchContact(db, { machineId: this.#machineId, machineGen: this.#machineGen, bootId: said.bootId, at })))
      throw new Superseded()
    const answer = { ...said, instances: await this.#ownOf(said) }
    await this.#keepInventory(answer.inventory)
    await this.#keepSample(answer, at)
    const own = answer.instances.filter((i) => this.#known.has(i.placementId))
    await this.#uses.keep(own)
    await this.#refusals.keep(own)
    await this.#hosts.keep(own)
    await this.#volumes.keep(own)
    const acks = acksOf(desired, answer.instances)
    const isNews = acks.length > 0 || !this.#last || newsOf(this.#last.answer) !== newsOf(answer)
    // First, wherever the clock went: who reads an acknowledgement finds the answer that it is from, and none before it.
    this.#last = { answer, at }
    if (acks.length > 0) await ackWants(db, { machineId: this.#machineId, acks, bootId: answer.bootId, at })
    return isNews
  }

  /** What the store wants, and what of the rest shall end. In quarantine a machine is told nothing: what it has goes on as it is. */
  async #wanted(): Promise<{ desired: DesiredPlacement[]; orders: DesiredInstance[] }> {
    const { db, catalog } = this.#deps
    if (await isQuarantined(db)) return { desired: [], orders: [] }
    const desired = await desiredOn(db, this.#machineId, catalog)
    const named = new Set(desired.map((d) => d.placementId))
    return { desired, orders: (await this.#orphans.orders()).filter((o) => !named.has(o.placementId)) }
  }

  async #ask(desired: DesiredInstance[]): Promise<SyncAnswer> {
    const changes = await readCounter(this.#deps.db)
    const body = JSON.stringify({ protocol: PROTOCOL.sync, machineGen: this.#machineGen, changes, desired } satisfies SyncRequest)
    const { status, text } = await this.#connection.call('/v1/sync', body, LIMITS.syncBytes)
    if (status === 409) await this.#isOlder(JSON.parse(text))
    if (status !== 200) throw new Error(`the agent answered the sync with ${status}`)
    const answer = syncAnswer.parse(JSON.parse(text))
    if (answer.protocol !== PROTOCOL.sync) throw new Error(`the agent speaks sync protocol ${answer.protocol}`)
    if (answer.machineGen !== this.#machineGen) throw new Error('the agent answered for another connection')
    const ids = new Set(answer.instances.map((i) => i.placementId))
    if (ids.size !== answer.instances.length) throw new Error('the agent listed an instance twice')
    return answer
  }

  /** The machine spoke to a newer database than this one: it was put back, and touches nothing until a person says so. */
  async #isOlder(said: unknown): Promise<void> {
    const older = olderDatabase.safeParse(said)
    if (!older.success) return
    const { changes } = older.data
    if (changes > (await readCounter(this.#deps.db)) + GAP_MAX)
      throw new Error(`the agent says ${changes} changes, which no database had`)
    if (await beginQuarantine(this.#deps.db, changes))
      this.#deps.log.error('this database is older than what a machine last heard: quarantine', {
        machineId: this.#machineId,
        changes,
      })
  }

  /** What the store knows as another machine's, or otherwise than the machine says, is dropped; what it does not know stays (quarantine). */
  async #ownOf({ instances, unlisted = [] }: SyncAnswer): Promise<ObservedInstance[]> {
    await this.#lookUp(instances)
    const known = (i: ObservedInstance) => this.#known.get(i.placementId)
    const unknown = instances.filter((i) => !known(i))
    await this.#orphans.keep({ unknown, foreign: instances.filter((i) => known(i)?.isOwn === false), unlisted })
    return instances.filter((i) => {
      const row = known(i)
      return !row || (row.isOwn && row.workloadId === i.workloadId && row.workloadGen === i.workloadGen)
    })
  }

  async #lookUp(instances: readonly ObservedInstance[]): Promise<void> {
    const { db, log } = this.#deps
    const unknown = instances.map((i) => i.placementId).filter((id) => !this.#known.has(id))
    for (const row of unknown.length === 0 ? [] : await placementsByIds(db, unknown)) {
      const { workloadId, workloadGen } = row
      this.#known.set(row.id, { workloadId, workloadGen, isOwn: row.machineId === this.#machineId })
      if (row.machineId !== this.#machineId)
        log.warn('machine has a copy of a placement of another; it is told to end it', {
          machineId: this.#machineId,
          placementId: row.id,
        })
    }
  }

  /** One for each place in the ring: a start asks the machine many times a second. */
  async #keepSample({ use }: SyncAnswer, at: Date): Promise<void> {
    const since = Math.abs(at.getTime() - this.#sampledAt)
    if (since < LIMITS.sampleSeconds * 1000) return
    this.#sampledAt = at.getTime()
    await addSample(this.#deps.db, { machineId: this.#machineId, use, at })
  }

  /** Written when something changed that does not change all the time, else once a minute. */
  async #keepInventory(said: Inventory): Promise<void> {
    const devices = said.devices.map((d) => ({ ...d, class: deviceClass(d, this.#deps.catalog) }))
    const inventory = { ...said, devices }
    const whole = JSON.stringify(inventory)
    const stable = JSON.stringify({
      ...inventory,
      diskFreeBytes: 0,
      devices: devices.map((d) => ({ ...d, use: 0, memoryUsedBytes: 0 })),
    })
    const now = this.#deps.clock.now().getTime()
    const saved = this.#savedInventory
    if (saved && saved.stable === stable && (saved.whole === whole || now - saved.at < INVENTORY_EVERY_MS)) return
    if (!(await saveInventory(this.#deps.db, { machineId: this.#machineId, machineGen: this.#machineGen, inventory })))
      throw new Superseded()
    this.#savedInventory = { stable, whole, at: now }
  }
}

function toMessage({ ackedWant, ...desired }: DesiredPlacement): DesiredInstance {
  return { ...desired, isAcked: ackedWant !== null }
}

/** An answer acknowledges everything that was asked in its request: the agent records it before it answers. */
function acksOf(desired: readonly DesiredPlacement[], instances: readonly ObservedInstance[]): Ack[] {
  const seen = new Map(instances.map((i) => [i.placementId, i.status]))
  return desired
    .filter((d) => d.ackedWant !== d.want)
    .map(({ placementId, want }) => ({ placementId, want, isDone: isDone(want, seen.get(placementId)) }))
}

function isDone(want: Ack['want'], status: ObservedInstance['status'] | undefined): boolean {
  if (want === 'run' || want === 'pause') return true
  return status === undefined || status === 'removed' || (status === 'stopped' && want !== 'remove')
}

/** Use and counts move all the time; nobody decides anything on them. */
function newsOf({ bootId, instances }: SyncAnswer): string {
  return JSON.stringify([bootId, instances.map(({ use: _, isBusy: __, refused: ___, ...said }) => said)])
}
