import { readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { LIMITS } from '@/domain/limits'
import { instancePaths } from '../../host/host-launch'

/** A folder of a forgotten instance: its terminal's record, its server's output, its build log. */
export type KeptFolder = { placementId: string; workloadGen: number; dir: string }

/** Of one workload: so many starts back, and so many bytes in all; the newest is kept whatever its size. */
const BYTES_MAX = 512 * 2 ** 20

/** Leaves only what is read later: no filter, no user database, no launch. */
export async function keepToRead(dir: string): Promise<void> {
  const paths = instancePaths(dir)
  const kept = [paths.recordFile, paths.recordDir, paths.logDir, paths.hostFile].map((path) => basename(path))
  for (const name of await readdir(dir)) if (!kept.includes(name)) await rm(join(dir, name), { recursive: true, force: true })
}

/** Deletes the oldest beyond the bounds and returns their placements. */
export async function dropSurplus(folders: readonly KeptFolder[]): Promise<string[]> {
  const newestFirst = [...folders].sort((a, b) => b.workloadGen - a.workloadGen)
  const sizes = await Promise.all(newestFirst.map(({ dir }) => sizeOf(dir)))
  const dropped: string[] = []
  let bytes = 0
  for (const [i, { dir, placementId }] of newestFirst.entries()) {
    bytes += sizes[i] ?? 0
    if (i === 0 || (i < LIMITS.keptStarts && bytes <= BYTES_MAX)) continue
    await rm(dir, { recursive: true, force: true })
    dropped.push(placementId)
  }
  return dropped
}

async function sizeOf(dir: string): Promise<number> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const sizes = await Promise.all(files.map(async (path) => (await stat(path).catch(() => null))?.size ?? 0))
  return sizes.reduce((sum, size) => sum + size, 0)
}
