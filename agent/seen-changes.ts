import { join } from 'node:path'
import { z } from 'zod'
import { pause } from '@/kit/loop'
import { readJsonFile, writeJsonFile } from './json-file'

const seenFile = z.strictObject({ changes: z.int32().min(0) })
const KEEP_EVERY_MS = 5000

/**
 * How many changes the controller's database had when it last spoke to this machine. One with fewer is an older database,
 * put back, and knows less than the machine. Kept on disk every few seconds: what a crash forgets makes a database that
 * was put back in those seconds look new, and nothing else.
 */
export class SeenChanges {
  readonly #path: string
  #seen: number
  #kept: number
  private constructor(path: string, seen: number) {
    this.#path = path
    this.#seen = seen
    this.#kept = seen
  }

  /** `folder`: the agent's state. */
  static async open(folder: string): Promise<SeenChanges> {
    const path = join(folder, 'seen.json')
    return new SeenChanges(path, (await readJsonFile(path, seenFile))?.changes ?? 0)
  }

  get count(): number {
    return this.#seen
  }

  saw(changes: number): void {
    this.#seen = Math.max(this.#seen, changes)
  }

  /** Keeps it on disk until the signal aborts, and once more then. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(KEEP_EVERY_MS, signal)
      await this.#keep().catch(() => undefined) // a full disk: the next time
    }
  }

  async #keep(): Promise<void> {
    const changes = this.#seen
    if (changes === this.#kept) return
    await writeJsonFile(this.#path, { changes } satisfies z.infer<typeof seenFile>)
    this.#kept = changes
  }
}
