import { type CheckedMount, mountRefused } from './check-mounts'
import { inodeOf } from './inode'

/**
 * Is what a started sandbox shows what was judged? A program that may write in a folder above could have put a link in
 * its place between the two. Rejects with `mount_refused`; the caller ends the sandbox. One that is gone shows nothing.
 */
export async function verifyShown(pid: number, mounts: readonly CheckedMount[]): Promise<void> {
  for (const { path, target, inode } of mounts) {
    const shown = await inodeOf(`/proc/${pid}/root${target}`)
    if (shown === null || shown === inode) continue
    const why = 'it was exchanged while it was being shown'
    throw mountRefused(path, { cause: 'exchanged', why, uid: null, help: null })
  }
}
