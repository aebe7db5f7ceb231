import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { arch, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxBind } from './bwrap-arguments'
import { reachableBinds } from './reachable-binds'
import type { CommandResult } from './run-command'
import { runCommand } from './run-command'
import { namespaceCommand, sandboxCommand } from './sandbox-command'
import { isSeccompArch, seccompFilter } from './seccomp'
import { readSystemView } from './system-view'

export type OneShot = {
  isRoot: boolean
  /** Whose rights it has outside; null: the agent's own. */
  uid: number | null
  binds: readonly SandboxBind[]
  environment: Record<string, string>
  command: readonly string[]
  timeoutMs: number
}

const TMP_BYTES = 16 * 2 ** 20
const PROCESSES_MAX = 256

// Fixed text: binds pairs of folders below a private tmpfs, in this process's own mount namespace, and becomes the rest.
const MOUNTER = `set -e; root=$1; n=$2; shift 2
mkdir -p "$root"; mount -t tmpfs -o mode=0755,size=1m,nosuid,nodev berth "$root"
while [ "$n" -gt 0 ]; do mkdir -p "$2"; mount --bind "$1" "$2"; shift 2; n=$((n - 1)); done
exec "$@"`

/** Runs one short command in a sandbox exactly as an instance's, without any network, and waits for its end. Never throws for what it runs. */
export async function runOnce(shot: OneShot): Promise<CommandResult> {
  const processor = arch()
  if (!isSeccompArch(processor)) throw new Error(`no system call filter for ${processor}`)
  const dir = await mkdtemp(join(tmpdir(), 'berth-once-'))
  try {
    const seccompFile = join(dir, 'seccomp')
    await writeFile(seccompFile, seccompFilter(processor))
    const { binds, mountRoot, mounts } = reachableBinds(shot.binds, shot.isRoot)
    const { environment, command } = shot
    const identity = shot.uid === null ? null : { uid: shot.uid, gid: shot.uid }
    const wrapping = { identity, cgroups: [], seccompFile, statusFile: join(dir, 'status'), processesMax: PROCESSES_MAX }
    const sandbox = { system: readSystemView(), binds, environment, cwd: '/', tmpBytes: TMP_BYTES, command }
    const mounting = mountRoot === null || mounts.length === 0 ? [] : mounter(mountRoot, mounts)
    const whole = namespaceCommand(shot.isRoot, [...mounting, ...sandboxCommand(sandbox, wrapping)])
    return await runCommand(whole, { timeoutMs: shot.timeoutMs })
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

function mounter(root: string, mounts: readonly { source: string; target: string }[]): string[] {
  const pairs = mounts.flatMap(({ source, target }) => [source, target])
  return ['/bin/sh', '-c', MOUNTER, 'berth-mounts', root, String(mounts.length), ...pairs]
}
