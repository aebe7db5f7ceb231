import { lchown, lstat, mkdir, readdir, readlink, rm, rmdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type Mount, mountName } from '@/domain/mounts'
import { HOME_NAME } from '../workspaces'

/** How a folder of the machine appears in a workspace: mounted on an empty folder, or as a link where there is no sandbox. */
export type MountPointOptions = { uid: number | null; isLinked: boolean }

/** Makes the places of all mounts. Returns the first whose name is taken by something of the workspace; null: all are there. */
export async function makeMountPoints(
  workspace: string,
  mounts: readonly Mount[],
  options: MountPointOptions,
): Promise<Mount | null> {
  for (const mount of mounts) {
    const place = join(workspace, mountName(mount.path))
    const isMade = options.isLinked ? await makeLink(place, mount.path) : await makeFolder(place, options.uid)
    if (!isMade) return mount
  }
  return null
}

/** Takes them away again, so that they never become part of what the workspace keeps. Only what can be ours: empty folders, and links to the mounts. */
export async function clearMountPoints(workspace: string, mounts: readonly Mount[]): Promise<void> {
  for (const { path } of mounts) {
    const place = join(workspace, mountName(path))
    if ((await readlink(place).catch(() => null)) === path) await rm(place)
    // A folder with something in it, or no folder at all, is not ours.
    else if (mountName(path) !== HOME_NAME) await rmdir(place).catch(() => undefined)
  }
}

/** Nothing of the workspace is hidden behind a mount, and no link of a program is followed. */
async function makeFolder(place: string, uid: number | null): Promise<boolean> {
  if (place.endsWith(`/${HOME_NAME}`)) return false
  const found = await lstat(place).catch(() => null)
  if (found) return found.isDirectory() && (await readdir(place)).length === 0
  await mkdir(place, { mode: 0o700 }) // at once: changing it later would follow a link put in its place
  if (uid !== null) await lchown(place, uid, uid)
  return true
}

async function makeLink(place: string, path: string): Promise<boolean> {
  if ((await readlink(place).catch(() => null)) === path) return true
  return symlink(path, place).then(
    () => true,
    () => false,
  )
}
