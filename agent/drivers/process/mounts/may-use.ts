import { spawn } from 'node:child_process'
import { access, constants, open } from 'node:fs/promises'
import { onlyThese } from '../../../host/only-these'

/** Who will use a folder: the uid that a root agent gave, or null for the agent's own user. */
export type FolderUser = { uid: number | null; isWriting: boolean }

// Fixed text: the folder is descriptor 3, so that neither its parents nor a link in between are looked at.
const TEST = '[ -r /proc/self/fd/3 ] && [ -x /proc/self/fd/3 ] && { [ "$1" = read ] || [ -w /proc/self/fd/3 ]; }'
const TEST_MS = 10_000

/** May this user list the folder and, where it is asked for, write in it? The kernel answers, with access lists and all. */
export async function mayUse(folder: string, { uid, isWriting }: FolderUser): Promise<boolean> {
  if (uid === null) {
    const mode = constants.R_OK | constants.X_OK | (isWriting ? constants.W_OK : 0)
    return access(folder, mode).then(
      () => true,
      () => false,
    )
  }
  const opened = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY).catch(() => null)
  if (opened === null) return false
  try {
    return await asks(uid, ['/bin/sh', '-c', TEST, 'berth-test', isWriting ? 'write' : 'read'], opened.fd)
  } finally {
    await opened.close()
  }
}

/** What gives them what they lack: one command, for a person to copy, whatever the folder's name is made of. */
export function permissionHelp(folder: string, { uid, isWriting }: FolderUser): string {
  const rights = isWriting ? 'rwX' : 'rX'
  const quoted = `'${folder.replaceAll("'", "'\\''")}'`
  if (uid === null) return `chmod -R u+${rights} ${quoted}`
  return `setfacl -R -m u:${uid}:${rights},d:u:${uid}:${rights} ${quoted} (or chmod -R o+${rights} ${quoted})`
}

function asks(uid: number, command: readonly string[], fd: number): Promise<boolean> {
  const [file = '', ...args] = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--', ...command]
  const options = {
    stdio: ['ignore', 'ignore', 'ignore', fd],
    cwd: '/',
    timeout: TEST_MS,
    env: onlyThese({ PATH: '/usr/bin:/bin' }),
  }
  return new Promise((resolve) => {
    const child = spawn(file, args, options as Parameters<typeof spawn>[2])
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}
