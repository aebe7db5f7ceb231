import { setMaxListeners } from 'node:events'
import { AppError } from '@/domain/errors'
import type { Log } from '@/kit/log'
import { backoffMs } from '@/kit/loop'
import { type Step, stepKey, workloadIdOf } from './step'
import type { Outcome, StepCtx } from './steps'
import { EXECUTORS } from './steps'

/** How many workloads are worked on at once, and the longest one step may take. */
const WORKLOADS_MAX = 16
const STEP_MS = 20_000
/** A pass does not wait longer than this for slow machines: the others' steps must not stand still. */
const PASS_MS = 250
const RETRY = { baseMs: 500, capMs: 30_000 }
const AWAY_MS = 2000

export type RunnerDeps = {
  ctx: StepCtx
  log: Log
  random: () => number
  /** A machine accepted something, or what had to wait is due: a pass should come soon. */
  onSettled: () => void
  /** Monotonic milliseconds; a jump of the clock holds nothing back. */
  elapsedMs?: () => number
  /** How long a pass waits for its steps. */
  passMs?: number
}
type Hold = { untilMs: number; failures: number }

/**
 * Runs the steps of a plan: those of one workload one after the other, different ones side by side. What it remembers
 * (what is under way, what must wait) is for pace alone: losing it loses nothing.
 */
export class StepRunner {
  readonly #deps: RunnerDeps
  readonly #elapsedMs: () => number
  readonly #inFlight = new Map<string, Promise<void>>()
  readonly #holds = new Map<string, Hold>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #closing = new AbortController()

  constructor(deps: RunnerDeps) {
    this.#deps = deps
    this.#elapsedMs = deps.elapsedMs ?? (() => performance.now())
    setMaxListeners(4 * WORKLOADS_MAX, this.#closing.signal)
  }

  /** Begins what can begin now; resolves when it is done, or when it takes long. */
  async run(steps: readonly Step[]): Promise<void> {
    const begun: Promise<void>[] = []
    for (const [workloadId, own] of byWorkload(steps)) {
      const ready = own.filter((step) => !this.#isHeld(step))
      const isFull = this.#inFlight.size >= WORKLOADS_MAX
      if (ready.length === 0 || isFull || this.#inFlight.has(workloadId) || this.#closing.signal.aborted) continue
      const work = this.#runAll(ready).finally(() => this.#inFlight.delete(workloadId))
      this.#inFlight.set(workloadId, work)
      begun.push(work)
    }
    if (begun.length === 0) return
    await Promise.race([Promise.all(begun), this.#pause(this.#deps.passMs ?? PASS_MS)])
  }

  /** Cuts short what runs and waits for it; what it was doing comes again with the next controller. */
  async close(): Promise<void> {
    this.#closing.abort()
    for (const timer of this.#timers) clearTimeout(timer)
    await Promise.all(this.#inFlight.values())
  }

  async #runAll(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      if (this.#closing.signal.aborted || !(await this.#runOne(step))) return
    }
  }

  /** False: what follows it for the same workload must not run now. */
  async #runOne(step: Step): Promise<boolean> {
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(STEP_MS)])
    try {
      const outcome = await execute(this.#deps.ctx, step, signal)
      this.#deps.log.debug('step done', { step: stepKey(step), why: step.reason.code })
      this.#holds.delete(stepKey(step))
      // What the store changed wakes the loop by itself; what a machine accepted does not.
      if (outcome !== 'done') this.#hold(step, { ms: outcome.laterMs, failures: 0 })
      if (outcome !== 'done') this.#deps.onSettled()
      return true
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#holdAfter(step, error)
      return false
    }
  }

  #holdAfter(step: Step, error: unknown): void {
    const { log, random } = this.#deps
    const code = error instanceof AppError ? error.code : null
    // The row moved on since the facts were read: the next pass decides anew.
    const isOvertaken = code === 'conflict'
    // What was asked stays asked; the machine is told when it is back.
    const isAway = code === 'unreachable'
    const failures = isOvertaken || isAway ? 0 : (this.#holds.get(stepKey(step))?.failures ?? 0) + 1
    const ms = isAway ? AWAY_MS : Math.max(RETRY.baseMs, backoffMs(failures, RETRY, random))
    if (failures > 0) log.warn('step failed', { step: stepKey(step), failures, error })
    if (!isOvertaken) this.#hold(step, { ms, failures })
  }

  #hold(step: Step, hold: { ms: number; failures: number }): void {
    const now = this.#elapsedMs()
    for (const [key, old] of this.#holds) if (old.untilMs + RETRY.capMs < now) this.#holds.delete(key)
    this.#holds.set(stepKey(step), { untilMs: now + hold.ms, failures: hold.failures })
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#deps.onSettled()
    }, hold.ms)
    this.#timers.add(timer)
  }

  #isHeld(step: Step): boolean {
    const hold = this.#holds.get(stepKey(step))
    return hold !== undefined && this.#elapsedMs() < hold.untilMs
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer)
        resolve()
      }, ms)
      this.#timers.add(timer)
    })
  }
}

/** Runs the executor of a step's kind. */
export function execute(ctx: StepCtx, step: Step, signal: AbortSignal): Promise<Outcome> {
  const run = EXECUTORS[step.kind] as (ctx: StepCtx, step: Step, signal: AbortSignal) => Promise<Outcome>
  return run(ctx, step, signal)
}

function byWorkload(steps: readonly Step[]): Map<string, Step[]> {
  const groups = new Map<string, Step[]>()
  for (const step of steps) groups.set(workloadIdOf(step), [...(groups.get(workloadIdOf(step)) ?? []), step])
  return groups
}
