import { type Mount, mountName } from '@/domain/mounts'
import { StartRefused } from '../../deps'
import type { SandboxBind } from '../sandbox/bwrap-arguments'
import { WORKSPACE } from '../sandbox/sandbox-environment'
import { allowedFolder, type FolderRules, type Forbidden } from './allowed-folder'
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
    if ('why' in checked) throw mountRefused(path, { ...checked, uid, help: null })
    const user = { uid, isWriting: mode === 'rw' }
    if (!(await mayUse(checked.folder, user))) {
      const who = uid === null ? 'this account' : `user ${uid}, who runs this workload`
      const cause = user.isWriting ? 'not_writable' : 'not_readable'
      const why = `${who} may not ${user.isWriting ? 'write in' : 'read'} it`
      throw mountRefused(path, { cause, why, uid, help: permissionHelp(checked.folder, user) })
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

/** `uid`: of the sandbox, null for the agent's own user; `help`: what gives it what it lacks. */
type Refusal = Forbidden & { uid: number | null; help: string | null }

/** The one error of a folder that is not shown. */
export function mountRefused(path: string, { cause, why, uid, help }: Refusal): StartRefused {
  const about = { subject: path, folderRefused: { cause, uid }, help }
  return new StartRefused('mount_refused', `${path} is not shown: ${why}`, about)
}
