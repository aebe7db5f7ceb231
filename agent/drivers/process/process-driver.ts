import type { Duplex } from 'node:stream'
import type { Instance } from '@/domain/ids'
import type { Progress } from '@/domain/workloads'
import type { Door } from '@/protocol/paths'
import { doorSocket } from '@/protocol/paths'
import type { DesiredInstance, ObservationCode } from '@/protocol/sync'
import { instancePaths } from '../../host/host-launch'
import type { DriverDeps } from '../deps'
import { StartRefused } from '../deps'
import type { Driver, LocalInstance } from '../driver'
import { bringUp } from './bring-up'
import { openDoor } from './dial-door'
import { EgressWatch } from './egress-watch'
import { clearMounts, endInstance, eraseWorkload } from './end-instance'
import { settleEnded } from './ended-with-berth'
import { readHost } from './host-control'
import { HostWatch } from './host-watch'
import { type InstanceRecord, isOver, shortId } from './instance-record'
import { stateSocket } from './launch-plan'
import { READY_MS } from './limits/bounds'
import { KillWatch } from './limits/kill-watch'
import { observeInstance, type Seen } from './observe-instance'
import { offers, type ProcessOffers } from './offers'
import { openProcessParts, type ProcessParts } from './process-parts'
import { withProof } from './proven-gone'
import { whenReady } from './readiness'
import { Records } from './records'
import { failureOf, helpOf, noteRefusal, refuseUnrunnable } from './start-failure'
import { Tasks } from './tasks'
import { Turns } from './turns'
import { openMeter, subjectsOf } from './use/measure-instances'
import type { UseMeter } from './use/use-meter'

/** Runs sessions and notebooks as processes of this machine, in a sandbox or plain. */
export function createProcessDriver(deps: DriverDeps): Driver {
  return new ProcessDriver(openProcessParts(deps))
}

/** The driver together with what it offers on this machine. */
export function openProcessDriver(deps: DriverDeps): { driver: Driver; offers: () => Promise<ProcessOffers> } {
  const parts = openProcessParts(deps)
  return { driver: new ProcessDriver(parts), offers: () => offers(parts) }
}

class ProcessDriver implements Driver {
  readonly rows = ['process-sandboxed', 'process-plain'] as const
  readonly #parts: ProcessParts
  readonly #listeners = new Set<() => void>()
  readonly #tasks: Tasks
  readonly #ready = new Set<string>()
  readonly #turns = new Turns()
  readonly #records: Records
  readonly #meter: UseMeter
  readonly #kills: KillWatch
  readonly #watch = new HostWatch(() => this.#changed())
  readonly #egress: EgressWatch
  readonly #found: Promise<void>

  constructor(parts: ProcessParts) {
    this.#parts = parts
    this.#records = new Records(parts.store, () => this.#changed())
    this.#tasks = new Tasks({ log: parts.log, changed: () => this.#changed() })
    this.#meter = openMeter(parts)
    this.#kills = new KillWatch(parts)
    const ask = () => parts.egress.said()
    this.#egress = new EgressWatch({ ask, changed: () => this.#changed(), log: parts.log })
    this.#found = this.#findAgain()
  }

  async start(spec: DesiredInstance, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    await this.#inTurn(spec.placementId, async () => {
      const known = await this.#parts.store.read(spec.placementId)
      if (known) return
      signal.throwIfAborted()
      refuseUnrunnable(spec)
      if (spec.needsWorkspace && !this.#parts.workspaces.has(spec.workloadId))
        throw new StartRefused('workspace_missing', 'the workspace to resume from is not on this machine')
      await this.#records.save({ spec, bootId: this.#parts.bootId, phase: 'starting', code: 'ok', subject: null })
      this.#begin(spec)
    })
  }

  async pause(i: Instance): Promise<void> {
    await this.#freeze(i, true)
  }

  async resume(i: Instance): Promise<void> {
    await this.#freeze(i, false)
  }

  async stop(i: Instance, how: 'park' | 'remove' | 'destroy', signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    await this.#inTurn(i.placementId, async () => {
      const record = await this.#parts.store.read(i.placementId)
      const code = record && !isOver(record) ? await this.#end(record) : (record?.code ?? 'ok')
      if (how === 'remove') await eraseWorkload(this.#parts, i)
      if (record) await this.#records.save({ ...record, phase: how === 'remove' ? 'removed' : 'stopped', code, subject: null })
    })
  }

  async forget(i: Instance): Promise<void> {
    await this.#inTurn(i.placementId, async () => {
      const record = await this.#parts.store.read(i.placementId)
      if (!record) return
      if (!isOver(record) && record.bootId === this.#parts.bootId) throw new Error('an instance that may run is not forgotten')
      await this.#parts.egress.drop(shortId(i.placementId))
      await clearMounts(this.#parts, record.spec)
      this.#kills.forget(shortId(i.placementId))
      await this.#parts.store.forget(record)
      this.#changed()
    })
  }

  async observe(signal: AbortSignal): Promise<LocalInstance[]> {
    await this.#found
    signal.throwIfAborted()
    // Read before the records: a start that ends meanwhile has its newest record, never an earlier stage.
    const told = this.#tasks.told()
    const records = await this.#parts.store.list()
    const looks = await Promise.all(records.map((record) => this.#records.look(record, (r) => this.#look(r, told))))
    const all = looks.filter((one) => one !== null)
    await this.#meter.look(all.flatMap(({ record, seen }) => subjectsOf(record, seen)))
    if (all.some(({ seen }) => seen.host?.isAlive)) this.#egress.look()
    return all.map(({ record, seen }) => {
      const measured = this.#meter.of(record.spec.placementId)
      return withProof(observeInstance(record, { ...seen, measured }), record, seen.host)
    })
  }

  async connect(i: Instance, door: Door, signal: AbortSignal): Promise<Duplex> {
    const record = await this.#parts.store.read(i.placementId)
    if (record?.phase !== 'up') throw new Error('no such instance runs here')
    return openDoor(doorSocket(this.#parts.runtimeDir, i.placementId, door), door, signal)
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** After a restart of the agent: what was being started goes on, what runs is watched. */
  async #findAgain(): Promise<void> {
    const wanted = new Set<string>()
    for (const found of await this.#parts.store.list()) {
      const record = await settleEnded(this.#parts, found)
      if (record.bootId === this.#parts.bootId && !isOver(record)) wanted.add(shortId(record.spec.placementId))
      if (record.bootId !== this.#parts.bootId || this.#tasks.has(record.spec.placementId)) continue
      if (record.phase === 'starting') this.#begin(record.spec)
      if (record.phase === 'up') this.#follow(record.spec)
    }
    const kept = this.#parts.egress.keep((id) => wanted.has(id))
    void kept.catch((error: unknown) => this.#parts.log.error('no egress process', { error }))
  }

  #look(record: InstanceRecord, told: ReadonlyMap<string, Progress | null>): Omit<Seen, 'measured'> {
    const { placementId, workloadId } = record.spec
    const { bootId, cgroups, store, workspaces } = this.#parts
    const id = shortId(placementId)
    return {
      bootId,
      host: readHost(store.dir(placementId), bootId),
      isReady: this.#ready.has(placementId),
      isFrozen: cgroups.canPause && cgroups.isFrozen(id),
      memoryKills: this.#kills.kills(id, { placementId, limitBytes: record.spec.memoryBytes }),
      progress: told.get(placementId) ?? null,
      hasWorkspace: workspaces.has(workloadId),
      ...this.#egress.of(id),
    }
  }

  #begin(spec: DesiredInstance): void {
    this.#tasks.run(spec.placementId, async (task) => {
      const { signal, tell: progress } = task
      try {
        await bringUp(this.#parts, { spec, signal, progress })
        await this.#records.move(spec.placementId, { phase: 'up' })
      } catch (error) {
        if (signal.aborted) return
        this.#parts.log.warn('start failed', { placementId: spec.placementId, error, ...helpOf(error) })
        noteRefusal(instancePaths(this.#parts.store.dir(spec.placementId)).buildLog, error)
        await this.#records.move(spec.placementId, { phase: 'failed', ...failureOf(error) })
        return
      }
      await this.#watchOver(spec, signal)
    })
  }

  #follow(spec: DesiredInstance): void {
    this.#tasks.run(spec.placementId, ({ signal }) => this.#watchOver(spec, signal))
  }

  /** From now on changes are heard of; a server is running once it answers. */
  async #watchOver(spec: DesiredInstance, signal: AbortSignal): Promise<void> {
    const { runtimeDir, clock, log } = this.#parts
    this.#watch.watch(spec.placementId, stateSocket(runtimeDir, spec.placementId))
    if (spec.kind === 'session') return
    const since = clock.now().getTime()
    const door = doorSocket(runtimeDir, spec.placementId, 'main')
    const isUp = () => {
      const host = readHost(this.#parts.store.dir(spec.placementId), this.#parts.bootId)
      return host?.isAlive === true && host.file.exitCode === null
    }
    const isReady = await whenReady(door, { timeoutMs: READY_MS, signal, isUp })
    if (isReady) {
      this.#ready.add(spec.placementId)
      log.info('server answers', { placementId: spec.placementId, waitedMs: clock.now().getTime() - since })
      this.#changed()
    } else if (isUp() && !signal.aborted) await this.#records.move(spec.placementId, { phase: 'failed', code: 'start_failed' })
  }

  /** Ends everything of an instance, proven. Returns the code for its record. */
  async #end(record: InstanceRecord): Promise<ObservationCode> {
    const { placementId } = record.spec
    await this.#records.save({ ...record, phase: 'stopping' })
    await this.#tasks.end(placementId)
    this.#watch.leave(placementId)
    const code = await endInstance(this.#parts, record)
    this.#ready.delete(placementId)
    return code
  }

  async #freeze(i: Instance, isFrozen: boolean): Promise<void> {
    await this.#inTurn(i.placementId, async () => {
      const record = await this.#parts.store.read(i.placementId)
      if (record?.phase !== 'up') throw new Error('only an instance that is up can be paused or resumed')
      const isLimited = record.spec.driver === 'process-sandboxed'
      if (!this.#parts.cgroups.canPause || !isLimited) throw new Error('this machine has no freezer for it')
      await this.#parts.cgroups.setFrozen(shortId(i.placementId), isFrozen)
      this.#changed()
    })
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener()
  }

  /** Verbs of one instance go one after the other. */
  #inTurn<T>(placementId: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.run(placementId, async () => {
      await this.#found
      return work()
    })
  }
}
