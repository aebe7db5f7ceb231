import { type Mount, mountName } from '@/domain/mounts'
import { StartRefused } from '../../deps'
import type { SandboxBind } from '../sandbox/bwrap-arguments'
import { WORKSPACE } from '../sandbox/sandbox-environment'
import { allowedFolder, type FolderRules } from './allowed-folder'
import { inodeOf } from './inode'
import { mayUse, permissionHelp } from './may-use'

export type MountAsk = {
  mounts: readonly Mount[]
  rules: FolderRules
  /** Of the sandbox; null: the agent's own user. */
  uid: number | null
}

/** A folder as it was judged; `inode` is the folder itself, whatever its path leads to later. */
export type CheckedMount = SandboxBind & { path: string; inode: string | null }

/** Every folder that is to be shown, resolved and judged on this machine, as binds. Rejects with `mount_refused` and the folder as subject. */
export async function checkMounts({ mounts, rules, uid }: MountAsk): Promise<CheckedMount[]> {
  const binds: CheckedMount[] = []
  for (const { path, mode } of mounts) {
    const checked = await allowedFolder(path, rules)
    if ('why' in checked) throw mountRefused(path, checked.why, null)
    const user = { uid, isWriting: mode === 'rw' }
    if (!(await mayUse(checked.folder, user))) {
      const who = uid === null ? 'this account' : `user ${uid}, who runs this workload`
      throw mountRefused(path, `${who} may not ${user.isWriting ? 'write in' : 'read'} it`, permissionHelp(checked.folder, user))
    }
    binds.push({
      source: checked.folder,
      target: `${WORKSPACE}/${mountName(path)}`,
      mode: user.isWriting ? 'write' : 'read',
      path,
      inode: await inodeOf(checked.folder),
    })
  }
  return binds
}

/** The one error of a folder that is not shown. */
export function mountRefused(path: string, why: string, help: string | null): StartRefused {
  return new StartRefused('mount_refused', `${path} is not shown: ${why}`, { subject: path, help })
}
