import { chmod, mkdir, readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { desiredInstance, OBSERVATION_CODES } from '@/protocol/sync'
import { isDiskFullError, readJsonFile, writeJsonFile } from './json-file'

/** An instance that this machine accepted, on disk before the controller hears of it. `spec.want` is the last order. */
const heldInstance = z.strictObject({
  spec: desiredInstance,
  /** Its driver took it over, or it was acknowledged before: it is never started again. */
  isStarted: z.boolean(),
  /** Why its start was refused here; it never reached a driver. */
  refused: z.enum(OBSERVATION_CODES).nullable(),
  /** A `remove` of it came to its end: nothing of it is left. */
  isRemoved: z.boolean(),
})
export type HeldInstance = z.infer<typeof heldInstance>

/** What the agent knows across its restarts. */
export type AgentState = {
  held(): readonly HeldInstance[]
  get(placementId: string): HeldInstance | undefined
  /**
   * Reads, changes and writes one record; those of one placement go one after the other. Resolves when it is on disk.
   * Nothing is written when the change returns the same; null deletes it.
   */
  update(placementId: string, change: (now: HeldInstance | undefined) => HeldInstance | null | undefined): Promise<void>
}

/** Opens the state folder (0700). A folder on NFS is refused: its locks and renames do not hold. */
export async function openState(folder: string): Promise<AgentState> {
  const known = join(folder, 'known')
  await mkdir(known, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  if ((await statfs(folder)).type === NFS_TYPE) throw new Error(`${folder} is on NFS; set BERTH_HOME to a local disk`)
  return new DiskState(known, await readAll(known))
}

/** UUIDs of the GPUs that instances hold here. */
export function devicesInUse(state: Pick<AgentState, 'held'>): string[] {
  return state.held().flatMap((h) => (h.isStarted && !h.isRemoved ? h.spec.devices : []))
}

const NFS_TYPE = 0x6969

class DiskState implements AgentState {
  readonly #folder: string
  readonly #held: Map<string, HeldInstance>
  readonly #writes = new Map<string, Promise<void>>()
  constructor(folder: string, held: Map<string, HeldInstance>) {
    this.#folder = folder
    this.#held = held
  }

  held(): readonly HeldInstance[] {
    return [...this.#held.values()]
  }

  get(placementId: string): HeldInstance | undefined {
    return this.#held.get(placementId)
  }

  update(placementId: string, change: (now: HeldInstance | undefined) => HeldInstance | null | undefined): Promise<void> {
    const before = this.#writes.get(placementId) ?? Promise.resolve()
    const write = before.then(() => this.#write(placementId, change))
    // The next one goes on whatever became of this one; its caller hears of the failure.
    const settled = write
      .catch(() => undefined)
      .then(() => {
        if (this.#writes.get(placementId) === settled) this.#writes.delete(placementId)
      })
    this.#writes.set(placementId, settled)
    return write
  }

  async #write(placementId: string, change: (now: HeldInstance | undefined) => HeldInstance | null | undefined): Promise<void> {
    const now = this.#held.get(placementId)
    const next = change(now)
    if (next === null) {
      await rm(this.#file(placementId), { force: true })
      this.#held.delete(placementId)
    } else if (next !== undefined && JSON.stringify(next) !== JSON.stringify(now)) {
      await this.#store(placementId, next)
      this.#held.set(placementId, next)
    }
  }

  /** An order to end is taken also when the disk has no room for it: it is what makes room, and the controller says it again. */
  async #store(placementId: string, next: HeldInstance): Promise<void> {
    try {
      await writeJsonFile(this.#file(placementId), next)
    } catch (error) {
      if (!isDiskFullError(error) || next.spec.want === 'run' || next.spec.want === 'pause') throw error
    }
  }

  #file(placementId: string): string {
    return join(this.#folder, `${placementId}.json`)
  }
}

async function readAll(folder: string): Promise<Map<string, HeldInstance>> {
  const held = new Map<string, HeldInstance>()
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.json')) await rm(join(folder, name), { force: true }) // a write that was cut
    const instance = name.endsWith('.json') ? await readJsonFile(join(folder, name), heldInstance) : null
    if (instance) held.set(instance.spec.placementId, instance)
  }
  return held
}
