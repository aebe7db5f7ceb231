import { existsSync } from 'node:fs'
import { chmod, lchown, lstat, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { mountedBelow } from './mounts/mounted-below'

/** Workspaces of workloads on this machine. Nothing but `remove` ever takes a byte away. */
export type Workspaces = {
  dir(workloadId: string): string
  has(workloadId: string): boolean
  /** The folder, made when it is not there, with a home folder inside; a root agent gives it to the workload's uid. */
  prepare(workloadId: string, uid: number | null): Promise<string>
  /** Gone at once for everybody, then deleted. Absent is success. Rejects, with nothing deleted, while something is mounted inside. */
  remove(workloadId: string): Promise<void>
}

/** The home folder inside a workspace. */
export const HOME_NAME = '.home'
const DISCARDED = '.discarded-'

/** The workspaces below a data directory. */
export function openWorkspaces(dataDir: string): Workspaces {
  const root = join(dataDir, 'workspaces')
  const dir = (workloadId: string) => join(root, workloadId)
  return {
    dir,
    has: (workloadId) => existsSync(dir(workloadId)),
    prepare: async (workloadId, uid) => {
      await mkdir(root, { recursive: true, mode: 0o700 })
      await ownFolder(dir(workloadId), uid)
      await ownFolder(join(dir(workloadId), HOME_NAME), uid)
      return dir(workloadId)
    },
    remove: async (workloadId) => {
      if (!existsSync(root)) return
      refuseMounted(dir(workloadId))
      if (existsSync(dir(workloadId))) await rename(dir(workloadId), join(root, `${DISCARDED}${workloadId}-${Date.now()}`))
      const left = (await readdir(root)).filter((name) => name.startsWith(`${DISCARDED}${workloadId}-`))
      for (const name of left) await erase(join(root, name))
    },
  }
}

/** Makes a folder if nothing has its name; a link that a program left there is neither followed nor replaced. */
async function ownFolder(path: string, uid: number | null): Promise<void> {
  const found = await lstat(path).catch(() => null)
  if (!found) await mkdir(path, { mode: 0o700 })
  // Made, and not given away: by an agent that was killed in between. No program can make a folder that is not its own.
  if (uid !== null && (!found || (found.isDirectory() && found.uid === process.getuid?.()))) await lchown(path, uid, uid)
}

/** Deleting never crosses into a mount: what is mounted there is somebody's own folder. */
function refuseMounted(path: string): void {
  const [point] = mountedBelow(path)
  if (point !== undefined) throw new Error(`${point} is mounted inside a workspace that is to be deleted`)
}

/** Programs may have left folders that their own user cannot enter. */
async function erase(path: string): Promise<void> {
  refuseMounted(path)
  await rm(path, { recursive: true, force: true }).catch(async () => {
    await openUp(path)
    await rm(path, { recursive: true, force: true })
  })
}

async function openUp(path: string): Promise<void> {
  await chmod(path, 0o700)
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await openUp(join(path, entry.name))
  }
}
