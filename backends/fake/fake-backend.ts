import { addAbortSignal, Duplex, PassThrough, type Readable } from 'node:stream'
import { AppError } from '@/domain/errors'
import type { Instance } from '@/domain/ids'
import type { NotebooksAsk } from '@/protocol/notebooks'
import type { Door } from '@/protocol/paths'
import type { ReadAsk, ReadInfo, SearchAnswer, SearchAsk } from '@/protocol/read'
import type { LaunchMaterial, Listed, Observation, PlacedWorkload, WorkloadBackend } from '../backend'
import { FakeMachine } from './fake-machine'

/** Called before each verb does anything and again after it did, for tests that break a controller in between. */
export type FakeProbe = (at: { verb: string; when: 'before' | 'after'; instance: Instance }) => void

/** A complete backend in memory. Time moves only by `advance()`; each machine has its own script, boot and faults. */
export class FakeBackend implements WorkloadBackend {
  #nowMs = 0
  readonly #machines = new Map<string, FakeMachine>()
  readonly #homeOf: (placementId: string) => Promise<string | null>
  readonly #generations = new Map<string, number>()
  probe: FakeProbe = () => undefined

  /** `homeOf` says on which machine a placement is: the store's knowledge, never the backend's own. */
  constructor(homeOf: (placementId: string) => Promise<string | null>) {
    this.#homeOf = homeOf
  }

  /** The machine of this id; it exists from its first mention. */
  machine(machineId: string): FakeMachine {
    const known = this.#machines.get(machineId)
    if (known) return known
    const made = new FakeMachine(() => this.#nowMs)
    this.#machines.set(machineId, made)
    return made
  }

  advance(ms: number): void {
    this.#nowMs += ms
  }

  async start(w: PlacedWorkload, _launch: LaunchMaterial, signal: AbortSignal): Promise<void> {
    const instance = { workloadId: w.id, placementId: w.placement.id, workloadGen: w.placement.workloadGen }
    const newest = this.#generations.get(w.id) ?? 0
    if (newest > instance.workloadGen) throw new AppError('conflict', { why: 'a newer start replaced this one' })
    await this.#act('start', { instance, signal }, (machine) => {
      this.#generations.set(w.id, instance.workloadGen)
      machine.start(instance)
    })
  }

  async pause(i: Instance, signal: AbortSignal): Promise<void> {
    await this.#act('pause', { instance: i, signal }, (machine) => machine.freeze(i, 'pause'))
  }

  async resume(i: Instance, signal: AbortSignal): Promise<void> {
    await this.#act('resume', { instance: i, signal }, (machine) => machine.freeze(i, 'run'))
  }

  async park(i: Instance, signal: AbortSignal): Promise<void> {
    await this.#act('park', { instance: i, signal }, (machine) => machine.stop(i, 'park'))
  }

  async remove(i: Instance, signal: AbortSignal): Promise<void> {
    await this.#act('remove', { instance: i, signal }, (machine) => machine.stop(i, 'remove'))
  }

  async destroy(i: Instance, signal: AbortSignal): Promise<void> {
    await this.#act('destroy', { instance: i, signal }, (machine) => machine.stop(i, 'destroy'))
  }

  async observe(instances: readonly Instance[], signal: AbortSignal): Promise<Observation[]> {
    signal.throwIfAborted()
    return Promise.all(
      instances.map(async (i) => {
        const machine = await this.#machineOf(i)
        return machine?.isUp ? machine.observe(i) : { ...i, ...UNKNOWN }
      }),
    )
  }

  async listed(signal: AbortSignal): Promise<Listed[]> {
    signal.throwIfAborted()
    return [...this.#machines.values()].filter((m) => m.isUp).flatMap((m) => m.listed())
  }

  async connect(i: Instance, _door: Door, signal: AbortSignal): Promise<Duplex> {
    signal.throwIfAborted()
    const machine = await this.#machineOf(i)
    if (machine && !machine.isUp) throw new AppError('unreachable', { machine: 'machine' })
    if (machine?.observe(i).status !== 'running') throw new AppError('not_found', { what: 'instance' })
    return echo()
  }

  async read(machineId: string, ask: ReadAsk, signal: AbortSignal): Promise<{ info: ReadInfo; stream: Readable }> {
    const { info, stream } = this.#asked(machineId, signal).records.read(ask)
    return { info, stream: addAbortSignal(signal, stream) }
  }

  async search(machineId: string, ask: SearchAsk, signal: AbortSignal): Promise<SearchAnswer> {
    return this.#asked(machineId, signal).records.search(ask)
  }

  async notebooks(machineId: string, ask: NotebooksAsk, signal: AbortSignal): Promise<Readable> {
    return this.#asked(machineId, signal).records.notebooks(ask)
  }

  #asked(machineId: string, signal: AbortSignal): FakeMachine {
    signal.throwIfAborted()
    const machine = this.machine(machineId)
    if (!machine.isUp) throw new AppError('unreachable', { machine: 'machine' })
    return machine
  }

  async #act(
    verb: string,
    of: { instance: Instance; signal: AbortSignal },
    action: (machine: FakeMachine) => void,
  ): Promise<void> {
    of.signal.throwIfAborted()
    const machine = await this.#machineOf(of.instance)
    if (machine && !machine.isUp) throw new AppError('unreachable', { machine: 'machine' })
    this.probe({ verb, when: 'before', instance: of.instance })
    if (machine) action(machine)
    this.probe({ verb, when: 'after', instance: of.instance })
  }

  async #machineOf(i: Instance): Promise<FakeMachine | undefined> {
    const home = await this.#homeOf(i.placementId)
    return home === null ? undefined : this.machine(home)
  }
}

const UNKNOWN = {
  status: 'unknown',
  code: 'ok',
  subject: null,
  progress: null,
  exitCode: null,
  hasWorkspace: false,
  bootId: null,
  acked: null,
} as const

/** Gives back what it is given: enough to prove that bytes flow both ways. */
function echo(): Duplex {
  const there = new PassThrough()
  return Duplex.from({ writable: there, readable: there })
}
