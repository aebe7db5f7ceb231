import type { Sandbox } from './bwrap-arguments'
import { bwrapArguments, SECCOMP_FD, STATUS_FD } from './bwrap-arguments'

/** Whose rights a sandbox has outside. Null: those of the agent, which is no root. */
type Identity = { uid: number; gid: number } | null

export type Wrapping = {
  identity: Identity
  /** `cgroup.procs` files that the process joins before anything of the sandbox exists. */
  cgroups: readonly string[]
  seccompFile: string
  statusFile: string
  /** Processes at most, by the kernel's per-user count; null where a control group counts them. */
  processesMax: number | null
}

// Fixed text; everything that varies is an argument. Joins the control groups, opens the two descriptors, becomes the rest.
const WRAPPER = `umask 022; n=$1; shift
while [ "$n" -gt 0 ]; do echo $$ >"$1" || exit 125; shift; n=$((n - 1)); done
exec ${SECCOMP_FD}<"$1" ${STATUS_FD}>"$2"; shift 2
exec "$@"`

/** Pure: the whole argument list of a sandboxed program, from the shell that opens descriptors to the program itself. */
export function sandboxCommand(sandbox: Sandbox, wrapping: Wrapping): string[] {
  const { identity, cgroups, seccompFile, statusFile, processesMax } = wrapping
  return [
    ...['/bin/sh', '-c', WRAPPER, 'berth-sandbox', String(cgroups.length), ...cgroups, seccompFile, statusFile],
    ...(processesMax === null ? [] : ['prlimit', `--nproc=${processesMax}:${processesMax}`]),
    ...(identity === null ? [] : lowered(identity)),
    'bwrap',
    ...bwrapArguments(sandbox),
  ]
}

/**
 * Pure: how a process gets its own network namespace before it runs. A root agent adds a mount namespace, in which the
 * folders that another uid may reach are bound; an ordinary user needs a user namespace for it.
 */
export function namespaceCommand(isRoot: boolean, command: readonly string[]): string[] {
  const flags = isRoot ? ['--net', '--mount', '--propagation', 'slave'] : ['--map-root-user', '--net']
  return ['unshare', ...flags, '--', ...command]
}

function lowered({ uid, gid }: { uid: number; gid: number }): string[] {
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs', '--']
}
