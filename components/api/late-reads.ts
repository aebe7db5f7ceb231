import type { Query, QueryCacheNotifyEvent, QueryClient } from '@tanstack/react-query'
import type { MachineView, WorkloadView } from '@/domain/views'
import { catchUp, type LiveChange, patchMachines } from './live-patch'

/** A page that the server made was read at most so long before it is here. */
const PAGE_MS = 30_000
const RECENT_MAX = 500

/**
 * What changed lately, for answers that were read before and come after: a page on its way, a question under way. Without
 * it they would show the past until the next change, which may never come.
 */
export class LateReads {
  readonly #client: QueryClient
  readonly #now: () => number
  readonly #recent = new Map<string, { workload: WorkloadView; at: number }>()
  readonly #askedAt = new WeakMap<Query, number>()
  #machines: { machines: readonly MachineView[]; at: number } | null = null
  #resetAt = Number.NEGATIVE_INFINITY

  constructor(client: QueryClient, now = () => performance.now()) {
    this.#client = client
    this.#now = now
  }

  /** A change, before it is applied to what is here: a question that is asked because of it is answered with it. */
  note({ reset, workloads, machines }: LiveChange): void {
    if (reset) this.#resetAt = this.#now()
    if (machines) this.#machines = { machines, at: this.#now() }
    for (const workload of workloads) {
      this.#recent.delete(workload.id)
      this.#recent.set(workload.id, { workload, at: this.#now() })
    }
    for (const id of this.#recent.keys()) {
      if (this.#recent.size <= RECENT_MAX) break
      this.#recent.delete(id)
    }
  }

  /** Brings everything that arrives from now on up to date. Returns what ends it. */
  watch(): () => void {
    return this.#client.getQueryCache().subscribe((event) => {
      const readAt = this.#readAt(event)
      // Not now: it may be the middle of a rendering.
      if (readAt !== null) queueMicrotask(() => this.#bringUpToDate(event.query, readAt))
    })
  }

  /** When the answer that has just arrived was read, at the earliest; null: none has. */
  #readAt(event: QueryCacheNotifyEvent): number | null {
    const { query } = event
    if (event.type === 'added') return query.state.data === undefined ? null : this.#now() - PAGE_MS
    if (event.type !== 'updated') return null
    const { action } = event
    if (action.type === 'fetch') this.#askedAt.set(query, this.#now())
    if (action.type === 'setState') return this.#now() - PAGE_MS
    return action.type === 'success' && !action.manual ? (this.#askedAt.get(query) ?? this.#now()) : null
  }

  #bringUpToDate(query: Query, readAt: number): void {
    const missed = [...this.#recent.values()].filter(({ at }) => at > readAt).map(({ workload }) => workload)
    if (this.#machines && this.#machines.at > readAt) patchMachines(this.#client, this.#machines.machines)
    const isBehind = this.#resetAt > readAt || (missed.length > 0 && !catchUp(this.#client, query, missed))
    if (isBehind) void this.#client.invalidateQueries({ queryKey: query.queryKey, exact: true })
  }
}
