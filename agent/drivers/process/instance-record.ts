import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { desiredInstance, OBSERVATION_CODES } from '@/protocol/sync'
import { instancePaths } from '../../host/host-launch'
import { readJsonFile, writeJsonFile } from '../../json-file'

/** What the driver knows of an instance across restarts: `instance.json` in its folder. What runs is read from the machine. */
const instanceRecord = z.strictObject({
  spec: desiredInstance,
  bootId: z.string().max(80),
  /** starting: being brought up. up: its session-host was seen. stopping … removed: on its way out, or out. failed: look at `code`. */
  phase: z.enum(['starting', 'up', 'stopping', 'stopped', 'removed', 'failed']),
  code: z.enum(OBSERVATION_CODES),
  subject: z.string().max(200).nullable(),
})
export type InstanceRecord = z.infer<typeof instanceRecord>

/** Records of instances, on disk and nowhere else. */
export type InstanceStore = {
  dir(placementId: string): string
  read(placementId: string): Promise<InstanceRecord | null>
  write(record: InstanceRecord): Promise<void>
  list(): Promise<InstanceRecord[]>
  /** Drops an instance's folder; the record of its terminal stays with the workload. */
  forget(record: InstanceRecord): Promise<void>
  /** Erases the terminal records of a workload. */
  eraseRecords(workloadId: string): Promise<void>
}

export function openInstanceStore(dataDir: string): InstanceStore {
  const root = join(dataDir, 'instances')
  const records = join(dataDir, 'records')
  const dir = (placementId: string) => join(root, placementId)
  const read = (placementId: string) => readJsonFile(instancePaths(dir(placementId)).recordFile, instanceRecord)
  return {
    dir,
    read,
    write: async (record) => {
      await mkdir(dir(record.spec.placementId), { recursive: true, mode: 0o700 })
      await writeJsonFile(instancePaths(dir(record.spec.placementId)).recordFile, record)
    },
    list: async () => {
      if (!existsSync(root)) return []
      const all = await Promise.all((await readdir(root)).map(read))
      return all.filter((record) => record !== null)
    },
    forget: async ({ spec, phase }) => {
      const kept = join(records, spec.workloadId, String(spec.workloadGen))
      const { recordDir } = instancePaths(dir(spec.placementId))
      if (phase !== 'removed' && existsSync(recordDir) && !existsSync(kept)) {
        await mkdir(dirname(kept), { recursive: true, mode: 0o700 })
        await rename(recordDir, kept)
      }
      await rm(dir(spec.placementId), { recursive: true, force: true })
    },
    eraseRecords: (workloadId) => rm(join(records, workloadId), { recursive: true, force: true }),
  }
}
