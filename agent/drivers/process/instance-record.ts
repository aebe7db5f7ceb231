import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { LIMITS } from '@/domain/limits'
import { desiredInstance, folderRefused, OBSERVATION_CODES } from '@/protocol/sync'
import { instancePaths } from '../../host/host-launch'
import { isDiskFullError, readJsonFile, writeJsonFile } from '../../json-file'
import { dropSurplus, keepToRead } from './kept-folders'

/** starting: being brought up. up: its session-host was seen. stopping … removed: on its way out, or out. failed: look at `code`. */
const PHASES = ['starting', 'up', 'stopping', 'stopped', 'removed', 'failed'] as const

/** What the driver knows of an instance across restarts: `instance.json` in its folder. What runs is read from the machine. */
const storedRecord = z.strictObject({
  spec: desiredInstance,
  bootId: z.string().max(80),
  /** kept: the driver has forgotten it; only what it printed is here, to be read. */
  phase: z.enum([...PHASES, 'kept']),
  code: z.enum(OBSERVATION_CODES),
  subject: z.string().max(LIMITS.pathChars).nullable(),
  folderRefused: folderRefused.optional(),
})
type StoredRecord = z.infer<typeof storedRecord>
export type InstanceRecord = Omit<StoredRecord, 'phase'> & { phase: (typeof PHASES)[number] }

/** Records of instances, on disk and nowhere else. */
export type InstanceStore = {
  dir(placementId: string): string
  read(placementId: string): Promise<InstanceRecord | null>
  write(record: InstanceRecord): Promise<void>
  list(): Promise<InstanceRecord[]>
  /** Drops an instance; what it printed stays to be read, unless it was removed. */
  forget(record: InstanceRecord): Promise<void>
  /** Erases what is kept to be read of a workload. */
  eraseKept(workloadId: string): Promise<void>
}

/** Name of an instance's way out and of its control groups: its placement id without dashes. */
export function shortId(placementId: string): string {
  return placementId.replaceAll('-', '')
}

/** Does nothing of it run any more, by its own end? */
export function isOver(record: InstanceRecord): boolean {
  return record.phase === 'stopped' || record.phase === 'removed'
}

/** The folders of instances below a data directory, with a record in each. */
export function openInstanceStore(dataDir: string): InstanceStore {
  return new DiskStore(join(dataDir, 'instances'))
}

class DiskStore implements InstanceStore {
  readonly #root: string
  /** Folders that are known to be kept: they are not read again at each look. */
  readonly #kept = new Map<string, Pick<StoredRecord, 'spec'>>()
  /** Failures and ends that the disk had no room for: they are told all the same, and an end makes room. */
  readonly #unsaved = new Map<string, InstanceRecord>()
  constructor(root: string) {
    this.#root = root
  }

  dir(placementId: string): string {
    return join(this.#root, placementId)
  }

  async read(placementId: string): Promise<InstanceRecord | null> {
    const unsaved = this.#unsaved.get(placementId)
    if (unsaved || this.#kept.has(placementId)) return unsaved ?? null
    const record = await readJsonFile(this.#file(placementId), storedRecord)
    if (record?.phase === 'kept') this.#kept.set(placementId, record)
    return record && isLive(record) ? record : null
  }

  async write(record: InstanceRecord): Promise<void> {
    const { placementId } = record.spec
    try {
      await mkdir(this.dir(placementId), { recursive: true, mode: 0o700 })
      await writeJsonFile(this.#file(placementId), record)
      this.#unsaved.delete(placementId)
    } catch (error) {
      if (!isDiskFullError(error) || record.phase === 'starting' || record.phase === 'up') throw error
      this.#unsaved.set(placementId, record)
    }
  }

  async list(): Promise<InstanceRecord[]> {
    if (!existsSync(this.#root)) return []
    const all = await Promise.all((await readdir(this.#root)).map((name) => this.read(name)))
    return all.filter((record) => record !== null)
  }

  async forget(record: InstanceRecord): Promise<void> {
    const { placementId, workloadId } = record.spec
    this.#unsaved.delete(placementId)
    if (record.phase === 'removed') return rm(this.dir(placementId), { recursive: true, force: true })
    await writeJsonFile(this.#file(placementId), { ...record, phase: 'kept' } satisfies StoredRecord)
    this.#kept.set(placementId, record)
    await keepToRead(this.dir(placementId))
    for (const dropped of await dropSurplus(await this.#keptOf(workloadId))) this.#kept.delete(dropped)
  }

  async eraseKept(workloadId: string): Promise<void> {
    for (const { placementId, dir } of await this.#keptOf(workloadId)) {
      await rm(dir, { recursive: true, force: true })
      this.#kept.delete(placementId)
    }
  }

  async #keptOf(workloadId: string) {
    await this.list()
    return [...this.#kept.values()]
      .filter(({ spec }) => spec.workloadId === workloadId)
      .map(({ spec }) => ({ placementId: spec.placementId, workloadGen: spec.workloadGen, dir: this.dir(spec.placementId) }))
  }

  #file(placementId: string): string {
    return instancePaths(this.dir(placementId)).recordFile
  }
}

function isLive(record: StoredRecord): record is InstanceRecord {
  return record.phase !== 'kept'
}
