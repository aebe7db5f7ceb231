import { type TrackedEnvelope, tracked } from '@trpc/server'
import { AppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'
import type { State } from '@/domain/states'
import type { MachineView, WorkloadView } from '@/domain/views'
import { pause } from '@/kit/loop'
import { shutdownSignal } from '@/kit/shutdown'
import type { Ctx } from '@/server/service/ctx'
import { listMachines } from '@/server/service/machines'
import { mayHaveLostSight } from '@/server/service/shares'
import { listWorkloads, workloadsChangedSince } from '@/server/service/workloads'
import { type Context, currentCtx } from './context'
import { toTrpcError } from './errors'
import { fingerprint } from './fingerprint'
import { ticks } from './ticks'

/** What changed since the last message. `reset`: more than a message holds, or unknown; the page asks for everything again. */
export type LiveChange = {
  counter: number
  reset: boolean
  workloads: WorkloadView[]
  machines: MachineView[] | null
}

/** States in which progress and reasons move without a change signal. */
const MOVING: State[] = ['queued', 'provisioning', 'parking', 'removing']
const MACHINES_MS = 5000
const RECHECK_MS = 1500
/** Changes that come closer together than this travel together; the more look, the longer they wait for each other. */
const TOGETHER_MS = 25
const TOGETHER_MS_PER_VIEWER = 10
let viewers = 0

/**
 * Follows what this person may see, for one browser: each message carries its change counter as its id, and a client that
 * comes back with another one is told to read everything again. Ends with an error when the sign-in does (401), and at
 * shutdown (503, so that the client reconnects); quietly when the client leaves.
 */
export async function* followChanges(
  context: Pick<Context, 'runtime' | 'recheck'>,
  since: { lastEventId: string | null; signal: AbortSignal | undefined },
): AsyncGenerator<TrackedEnvelope<LiveChange>, void, void> {
  const follower = new Follower(context)
  await follower.start(since.lastEventId)
  viewers += 1
  try {
    for await (const stop of ticks(context.runtime.changes, since.signal)) {
      while (!stop.aborted) {
        const change = await follower.next()
        if (!change) break
        yield tracked(String(change.counter), change)
        await pause(Math.max(TOGETHER_MS, viewers * TOGETHER_MS_PER_VIEWER), stop)
      }
    }
  } finally {
    viewers -= 1
  }
  if (shutdownSignal().aborted) throw toTrpcError(new AppError('unavailable', { what: 'Berth' }))
}

/** What one browser was told so far. */
class Follower {
  readonly #context: Pick<Context, 'runtime' | 'recheck'>
  #ctx: Ctx | null = null
  #counter = 0
  #isReset = false
  #checkedAt = Number.NEGATIVE_INFINITY
  #machinesAt = Number.NEGATIVE_INFINITY
  #machines = ''
  #reach = ''
  #seen = new Map<string, string>()

  constructor(context: Pick<Context, 'runtime' | 'recheck'>) {
    this.#context = context
  }

  async start(lastEventId: string | null): Promise<void> {
    this.#counter = await this.#context.runtime.changes.read()
    this.#isReset = lastEventId !== String(this.#counter)
  }

  /** What is new, or null. Throws when the sign-in ended. */
  async next(): Promise<LiveChange | null> {
    const ctx = await this.#check(performance.now() - this.#checkedAt > RECHECK_MS)
    const machines = await this.#newMachines(ctx)
    const counter = await this.#context.runtime.changes.read()
    const changed = counter > this.#counter ? await workloadsChangedSince(ctx, this.#counter) : []
    const isLess = counter > this.#counter && (await mayHaveLostSight(ctx, this.#counter))
    const moving = await listWorkloads(ctx, { states: MOVING, limit: LIMITS.listMax })
    this.#counter = counter
    const workloads = this.#unseen([...(changed ?? []), ...moving.rows])
    const reset = this.#isReset || changed === null || isLess
    this.#isReset = false
    if (!reset && workloads.length === 0 && machines === null) return null
    await this.#check(true)
    return { counter, reset, workloads, machines }
  }

  /** The person as they are now: before anything is sent, and every few seconds. */
  async #check(isDue: boolean): Promise<Ctx> {
    if (this.#ctx && !isDue) return this.#ctx
    this.#ctx = await currentCtx(this.#context)
    this.#checkedAt = performance.now()
    return this.#ctx
  }

  /** Machines when something about them moved. One that came or went changes what every workload on it shows. */
  async #newMachines(ctx: Ctx): Promise<MachineView[] | null> {
    if (performance.now() - this.#machinesAt < MACHINES_MS) return null
    this.#machinesAt = performance.now()
    const machines = await listMachines(ctx)
    const print = JSON.stringify(machines)
    if (print === this.#machines) return null
    const reach = JSON.stringify(machines.map((m) => [m.id, m.isConnected]))
    if (this.#machines !== '' && reach !== this.#reach) this.#isReset = true
    this.#machines = print
    this.#reach = reach
    return machines
  }

  /** Those that look otherwise than when they were last sent. */
  #unseen(views: WorkloadView[]): WorkloadView[] {
    const fresh = new Map<string, WorkloadView>()
    for (const view of views) {
      const print = fingerprint(view)
      if (this.#seen.get(view.id) === print) continue
      this.#seen.delete(view.id)
      this.#seen.set(view.id, print)
      fresh.set(view.id, view)
    }
    for (const id of this.#seen.keys()) {
      if (this.#seen.size <= SEEN_MAX) break
      this.#seen.delete(id)
    }
    return [...fresh.values()]
  }
}
const SEEN_MAX = 1000
