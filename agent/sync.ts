import type { Duplex } from 'node:stream'
import type { Instance } from '@/domain/ids'
import type { Log } from '@/kit/log'
import { pause, runLoop, Waker } from '@/kit/loop'
import type { Door } from '@/protocol/paths'
import { type DesiredInstance, OBSERVATION_CODES, type ObservationCode, type ObservedInstance } from '@/protocol/sync'
import { checkStart, type Means } from './check-start'
import { type Action, accept, diff } from './diff'
import { StartRefused } from './drivers/deps'
import type { Driver } from './drivers/driver'
import { observations } from './observations'
import { type Executors, Runner } from './runner'
import type { AgentState, HeldInstance } from './state'

export type AgentSyncDeps = {
  drivers: readonly Driver[]
  state: AgentState
  /** What the machine can give to that start now. */
  means: () => Means
  log: Log
}

/** Longest time that the drivers may take to say what they have; after it the answer is an error, never a guess. */
const OBSERVE_MS = 5000
/** The drivers are asked again at least that often, and at most five times a second. */
const LOOK_EVERY_MS = 30_000
const LOOK_GAP_MS = 200

/**
 * Brings the machine to what it was ordered, again and again. Orders are recorded before they are answered and go on
 * without the controller: after a restart of the agent everything is found again and what was ordered to end, ends.
 */
export class AgentSync {
  readonly #deps: AgentSyncDeps
  readonly #runner: Runner
  readonly #waker = new Waker()
  readonly #listeners = new Set<() => void>()
  readonly #driverOf = new Map<string, Driver>()
  #listed: ReadonlySet<string> | null = null
  #last: Promise<unknown> = Promise.resolve()

  constructor(deps: AgentSyncDeps) {
    this.#deps = deps
    this.#runner = new Runner({ execute: this.#executors(), log: deps.log, onSettled: () => this.#changed() })
    for (const driver of deps.drivers) driver.onChange(() => this.#changed())
  }

  /** Looks and acts until the signal aborts; then lets go of what runs in the background. */
  async run(signal: AbortSignal): Promise<void> {
    const pass = async () => {
      await this.#pass(null)
      await pause(LOOK_GAP_MS, signal)
    }
    await runLoop(pass, { everyMs: LOOK_EVERY_MS, signal, log: this.#deps.log, waker: this.#waker })
    await this.#runner.close()
  }

  /** Takes over what the controller wants and answers with the whole inventory. The work itself goes on behind the answer. */
  apply(desired: readonly DesiredInstance[]): Promise<ObservedInstance[]> {
    return this.#pass(desired)
  }

  /** A byte stream to a door of an instance that this machine holds and that may run; null when it does not. */
  async connect(placementId: string, door: Door, signal: AbortSignal): Promise<Duplex | null> {
    const held = this.#deps.state.get(placementId)
    if (!held || !['run', 'pause'].includes(held.spec.want)) return null
    return this.#driver(held.spec).connect(held.spec, door, signal)
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #changed(): void {
    this.#waker.wake()
    for (const listener of [...this.#listeners]) listener()
  }

  /** One pass at a time: what it decides rests on what it has just seen. */
  #pass(desired: readonly DesiredInstance[] | null): Promise<ObservedInstance[]> {
    const pass = this.#last.then(() => this.#look(desired))
    this.#last = pass.catch(() => undefined) // its caller hears of the failure; the next pass looks anew
    return pass
  }

  async #look(desired: readonly DesiredInstance[] | null): Promise<ObservedInstance[]> {
    const { state } = this.#deps
    const begun = new Set(state.held().flatMap((h) => (h.isStarted ? [h.spec.placementId] : [])))
    const busy = this.#runner.busy()
    const observed = await this.#observe()
    // What a driver took over while it was asked is not in its answer, and proves nothing by that.
    const since = state.held().flatMap((h) => (h.isStarted && !begun.has(h.spec.placementId) ? [h.spec.placementId] : []))
    if (desired) await this.#takeOver(desired, observed)
    const present = { held: state.held(), observed }
    this.#runner.kick(diff(this.#listed, present))
    return observations(present, new Set([...busy, ...since, ...this.#runner.busy()]))
  }

  async #takeOver(desired: readonly DesiredInstance[], observed: readonly ObservedInstance[]): Promise<void> {
    const { state, log } = this.#deps
    const { held, refused } = accept(desired, { held: state.held(), observed })
    for (const i of refused) log.warn('instance refused: older than what is here, or another meaning of a known id', i)
    await Promise.all(held.map((taken) => state.update(taken.spec.placementId, (now) => merged(taken, now))))
    this.#listed = new Set(desired.map((d) => d.placementId))
    for (const { spec } of held) if (!['run', 'pause'].includes(spec.want)) this.#runner.cut(spec.placementId)
  }

  async #observe(): Promise<ObservedInstance[]> {
    const signal = AbortSignal.timeout(OBSERVE_MS)
    const seen = await Promise.all(
      this.#deps.drivers.map(async (driver) => ({ driver, rows: await within(driver.observe(signal), signal) })),
    )
    const all = new Map<string, ObservedInstance>()
    for (const { driver, rows } of seen)
      for (const row of rows) {
        this.#driverOf.set(row.placementId, driver)
        all.set(row.placementId, row)
      }
    return [...all.values()]
  }

  #executors(): Executors {
    const { state } = this.#deps
    return {
      start: (action, signal) => this.#start(action, signal),
      pause: ({ instance }, signal) => this.#driver(instance).pause(instance, signal),
      resume: ({ instance }, signal) => this.#driver(instance).resume(instance, signal),
      stop: (action, signal) => this.#stop(action, signal),
      forget: async ({ instance }) => {
        await this.#findDriver(instance)?.forget(instance)
        await state.update(instance.placementId, () => null)
        this.#driverOf.delete(instance.placementId)
      },
    }
  }

  async #start({ spec }: Extract<Action, { kind: 'start' }>, signal: AbortSignal): Promise<void> {
    const { state, log, means } = this.#deps
    try {
      const missing = checkStart(spec, means())
      if (missing) throw new StartRefused(missing, 'this machine cannot run it')
      await this.#driver(spec).start(spec, signal)
      await state.update(spec.placementId, (now) => now && { ...now, isStarted: true })
    } catch (error) {
      // Cut short by a stop or by the end of the agent: the next pass decides.
      if (signal.aborted && !isTimeout(signal)) throw error
      log.warn('start refused', { placementId: spec.placementId, error })
      await state.update(spec.placementId, (now) => now && { ...now, refused: codeOf(error) })
    }
  }

  async #stop({ instance, how }: Extract<Action, { kind: 'stop' }>, signal: AbortSignal): Promise<void> {
    const { state } = this.#deps
    // As it was ordered when this began: one that was to be parked then is not removed by it, whatever is ordered by now.
    const isRemoval = state.get(instance.placementId)?.spec.want === 'remove'
    await this.#driver(instance).stop(instance, how, signal)
    const isGone = (now: HeldInstance) => isRemoval && now.spec.want === 'remove'
    await state.update(instance.placementId, (now) => now && { ...now, isRemoved: isGone(now) })
  }

  #driver(i: Pick<Instance, 'placementId'>): Driver {
    const driver = this.#findDriver(i)
    if (!driver) throw new StartRefused('driver_missing', 'no driver of this machine serves it')
    return driver
  }

  #findDriver({ placementId }: Pick<Instance, 'placementId'>): Driver | undefined {
    const row = this.#deps.state.get(placementId)?.spec.driver
    return this.#deps.drivers.find((d) => row !== undefined && d.rows.includes(row)) ?? this.#driverOf.get(placementId)
  }
}

/** What was learned while the order was on its way stays. */
function merged(taken: HeldInstance, now: HeldInstance | undefined): HeldInstance {
  const { isAcked: _, ...spec } = taken.spec
  if (!now) return { ...taken, spec }
  const isRemoved = now.isRemoved && spec.want === 'remove'
  return { spec, isStarted: now.isStarted || taken.isStarted, refused: now.refused, isRemoved }
}

/** A driver that does not end by itself is left behind. */
function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('a driver did not answer in time', { cause: signal.reason })), {
      once: true,
    })
    work.then(resolve, reject)
  })
}

function isTimeout(signal: AbortSignal): boolean {
  return signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError'
}

function codeOf(error: unknown): ObservationCode {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return OBSERVATION_CODES.find((c) => c === code) ?? 'start_failed'
}
