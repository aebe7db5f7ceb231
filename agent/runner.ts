import { setMaxListeners } from 'node:events'
import type { Log } from '@/kit/log'
import { backoffMs } from '@/kit/loop'
import type { Action } from './diff'

/** Does one action; rejects when it could not. Each may run twice. */
export type Executors = {
  [K in Action['kind']]: (action: Extract<Action, { kind: K }>, signal: AbortSignal) => Promise<void>
}

type Running = { action: Action; abort: AbortController; ended: Promise<void> }
type Failure = { attempts: number; isHeld: boolean }

/** How many actions run at once, and how long each may take. */
const ACTIONS_MAX = 16
const LIMIT_MS: Record<Action['kind'], number> = {
  start: 120_000,
  pause: 20_000,
  resume: 20_000,
  stop: 180_000,
  forget: 20_000,
}
const RETRY = { baseMs: 1000, capMs: 30_000 }

/**
 * Runs actions in the background: one at a time for each workload, a bounded number in all, failed ones again after a
 * backoff. It keeps no queue: what could not run now comes again with the next pass.
 */
export class Runner {
  readonly #deps: { execute: Executors; log: Log; onSettled: () => void }
  readonly #running = new Map<string, Running>()
  readonly #failures = new Map<string, Failure>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #closing = new AbortController()
  constructor(deps: { execute: Executors; log: Log; onSettled: () => void }) {
    this.#deps = deps
    setMaxListeners(2 * ACTIONS_MAX, this.#closing.signal)
  }

  /** Begins what can begin now. A stop cuts short whatever else runs for its workload. */
  kick(actions: readonly Action[]): void {
    for (const action of actions) {
      if (this.#closing.signal.aborted || this.#isHeldBack(action)) continue
      const running = this.#running.get(workloadOf(action))
      if (running) this.#yieldTo(action, running)
      else if (this.#running.size < ACTIONS_MAX) this.#begin(action)
    }
  }

  /** Placements at which something is being done now. */
  busy(): string[] {
    return [...this.#running.values()].map((r) => placementOf(r.action))
  }

  /** Cuts short a start, pause or resume of that placement, because it was told to end. */
  cut(placementId: string): void {
    for (const { action, abort } of this.#running.values())
      if (placementOf(action) === placementId && ['start', 'pause', 'resume'].includes(action.kind)) abort.abort()
  }

  /** Aborts what runs and waits for it; what it was doing goes on after the next start. */
  async close(): Promise<void> {
    this.#closing.abort()
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.all([...this.#running.values()].map((r) => r.ended))
  }

  #yieldTo(action: Action, running: Running): void {
    const isNewStop = action.kind === 'stop' && keyOf(action) !== keyOf(running.action)
    if (isNewStop && running.action.kind !== 'forget') running.abort.abort()
  }

  #begin(action: Action): void {
    const abort = new AbortController()
    const signal = AbortSignal.any([abort.signal, this.#closing.signal, AbortSignal.timeout(LIMIT_MS[action.kind])])
    const ended = this.#execute(action, signal).then(
      () => this.#settle(action, null),
      (error: unknown) => this.#settle(action, { error, isCut: abort.signal.aborted || this.#closing.signal.aborted }),
    )
    this.#running.set(workloadOf(action), { action, abort, ended })
  }

  #execute(action: Action, signal: AbortSignal): Promise<void> {
    const { execute } = this.#deps
    if (action.kind === 'start') return execute.start(action, signal)
    if (action.kind === 'stop') return execute.stop(action, signal)
    if (action.kind === 'pause') return execute.pause(action, signal)
    if (action.kind === 'resume') return execute.resume(action, signal)
    return execute.forget(action, signal)
  }

  #settle(action: Action, failure: { error: unknown; isCut: boolean } | null): void {
    this.#running.delete(workloadOf(action))
    if (!failure) this.#failures.delete(keyOf(action))
    else if (!failure.isCut) this.#holdBack(action, failure.error)
    this.#deps.onSettled()
  }

  #holdBack(action: Action, error: unknown): void {
    const attempts = (this.#failures.get(keyOf(action))?.attempts ?? 0) + 1
    const delayMs = Math.max(RETRY.baseMs, backoffMs(attempts, RETRY, Math.random))
    const failure: Failure = { attempts, isHeld: true }
    this.#failures.set(keyOf(action), failure)
    this.#deps.log.warn('action failed', { action: action.kind, key: keyOf(action), attempts, error })
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      failure.isHeld = false // not by the clock, which may be behind the timer: it would wait for the next look then
      this.#deps.onSettled()
    }, delayMs)
    this.#timers.add(timer)
  }

  #isHeldBack(action: Action): boolean {
    return this.#failures.get(keyOf(action))?.isHeld === true
  }
}

function workloadOf(action: Action): string {
  return action.kind === 'start' ? action.spec.workloadId : action.instance.workloadId
}

function placementOf(action: Action): string {
  return action.kind === 'start' ? action.spec.placementId : action.instance.placementId
}

function keyOf(action: Action): string {
  return `${action.kind === 'stop' ? action.how : action.kind} ${placementOf(action)}`
}
