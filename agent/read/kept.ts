import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { rowId } from '@/domain/ids'
import { hostFile } from '@/protocol/host'
import type { ReadSource } from '@/protocol/read'
import { instancePaths } from '../host/host-launch'
import { isAlive } from '../host/process-table'
import { readJsonFile } from '../json-file'

/** One start of a workload of which this machine still keeps something. */
export type Kept = { placementId: string; workloadGen: number; dir: string }

/** The parts of `instance.json` and `launch.json` that say whose folder it is; both are written by the agent alone. */
const named = z.object({ workloadId: rowId, workloadGen: z.int().min(1) })
const record = z.object({ spec: named, phase: z.string() })

/** Phases in which nothing is written any more. */
const OVER: readonly string[] = ['stopped', 'removed', 'failed', 'kept']

/** What this machine keeps of a workload, newest first. */
export async function keptOf(dataDir: string, workloadId: string): Promise<Kept[]> {
  const root = join(dataDir, 'instances')
  const names = (await namesIn(root)).filter((name) => rowId.safeParse(name).success)
  const all = await Promise.all(names.map((name) => keptIn(join(root, name), name)))
  return all
    .filter((kept) => kept !== null)
    .filter((kept) => kept.workloadId === workloadId)
    .sort((a, b) => b.workloadGen - a.workloadGen)
}

/** Will nothing be added to this source any more? A folder that cannot say so counts as over. */
export async function isOver(kept: Kept, source: ReadSource): Promise<boolean> {
  const paths = instancePaths(kept.dir)
  const phase = (await readJsonFile(paths.recordFile, record).catch(() => null))?.phase ?? 'stopped'
  if (OVER.includes(phase)) return true
  if (source === 'build') return phase !== 'starting'
  const host = await readJsonFile(paths.hostFile, hostFile).catch(() => null)
  if (host === null) return phase !== 'starting'
  return host.exitCode !== null || !isAlive({ pid: host.hostPid, start: host.hostStart })
}

async function keptIn(dir: string, placementId: string): Promise<(Kept & { workloadId: string }) | null> {
  if (!(await isOwnFolder(dir))) return null
  const paths = instancePaths(dir)
  const spec = (await readJsonFile(paths.recordFile, record).catch(() => null))?.spec
  const found = spec ?? (await readJsonFile(paths.launchFile, named).catch(() => null))
  return found && { placementId, dir, workloadId: found.workloadId, workloadGen: found.workloadGen }
}

/** A folder itself, never a link to one. */
export async function isOwnFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() ?? false
}

/** Names in a folder; none when it is not there. */
export async function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch(() => [])
}
