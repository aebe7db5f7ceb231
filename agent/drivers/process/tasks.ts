import type { Progress } from '@/domain/workloads'
import type { Log } from '@/kit/log'

/** What goes on for one instance in this process; everything else is on disk. */
export type Task = { signal: AbortSignal; tell(progress: Progress): void }
type Running = { abort: AbortController; done: Promise<void>; progress: Progress | null }

/** Stages of a quick start follow each other faster than anybody reads; each that is told costs a round trip and a row. */
const TELL_MS = 150

/** Work in the background, at most one for each instance. */
export class Tasks {
  readonly #running = new Map<string, Running>()
  readonly #deps: { log: Log; changed: () => void }
  constructor(deps: { log: Log; changed: () => void }) {
    this.#deps = deps
  }

  has(placementId: string): boolean {
    return this.#running.has(placementId)
  }

  /** How far each instance that is worked on is now; null before it said so. */
  told(): ReadonlyMap<string, Progress | null> {
    return new Map([...this.#running].map(([placementId, { progress }]) => [placementId, progress]))
  }

  run(placementId: string, work: (task: Task) => Promise<void>): void {
    const running: Running = { abort: new AbortController(), done: Promise.resolve(), progress: null }
    this.#running.set(placementId, running)
    let telling: NodeJS.Timeout | null = null
    const tell = (progress: Progress) => {
      running.progress = progress
      telling ??= setTimeout(() => {
        telling = null
        this.#deps.changed()
      }, TELL_MS)
    }
    running.done = work({ signal: running.abort.signal, tell })
      .catch((error: unknown) => this.#deps.log.error('instance left to itself', { placementId, error }))
      .finally(() => {
        if (telling) clearTimeout(telling)
        if (this.#running.get(placementId) === running) this.#running.delete(placementId)
      })
  }

  /** Ends what goes on for an instance and waits for it. */
  async end(placementId: string): Promise<void> {
    const running = this.#running.get(placementId)
    running?.abort.abort(new Error('the instance is stopped'))
    await running?.done
  }
}
