import type { SystemView } from './system-view'

/** A folder or file of the machine that a sandbox sees at `target`; `within` is the folder that holds several of them. */
export type SandboxBind = { source: string; target: string; mode: 'read' | 'write' | 'device'; within?: string }

export type Sandbox = {
  system: SystemView
  binds: readonly SandboxBind[]
  environment: Readonly<Record<string, string>>
  cwd: string
  /** Upper bound of the private /tmp and /run, which are memory. */
  tmpBytes: number
  command: readonly string[]
}

/** User and group inside; outside it is the agent's user, or the uid that a root agent gave to this person. */
export const SANDBOX_UID = 1000
/** What a machine is called inside, whatever its own name is. */
export const SANDBOX_HOST = 'berth'
/** Descriptors that the wrapper opened before: the system call filter, and where bubblewrap reports the first process. */
export const SECCOMP_FD = 3
export const STATUS_FD = 4

/**
 * Pure: bubblewrap's arguments. Every namespace but the network is new (the network's is the session-host's), no nested
 * user namespaces, no capability, nothing inherited from the environment, only what is bound here exists.
 */
export function bwrapArguments(sandbox: Sandbox): string[] {
  return [
    ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try', '--disable-userns'],
    ...['--die-with-parent', '--uid', String(SANDBOX_UID), '--gid', String(SANDBOX_UID), '--hostname', SANDBOX_HOST],
    ...['--cap-drop', 'ALL', '--seccomp', String(SECCOMP_FD), '--json-status-fd', String(STATUS_FD), '--clearenv'],
    ...Object.entries(sandbox.environment).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--perms', '0755', '--dir', '/etc'],
    ...sandbox.system.binds.flatMap((path) => ['--ro-bind', path, path]),
    ...sandbox.system.links.flatMap(([target, link]) => ['--symlink', target, link]),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...privateFolder('/tmp', '1777', sandbox.tmpBytes),
    ...privateFolder('/run', '0755', sandbox.tmpBytes),
    ...privateFolder('/var/tmp', '1777', sandbox.tmpBytes),
    ...sandbox.binds.flatMap(({ source, target, mode }) => [BIND[mode], source, target]),
    // What is not a mount of its own (the root, /etc) cannot be written either.
    ...['--remount-ro', '/', '--chdir', sandbox.cwd, '--', ...sandbox.command],
  ]
}

const BIND = { read: '--ro-bind', write: '--bind', device: '--dev-bind' } as const

function privateFolder(path: string, mode: string, bytes: number): string[] {
  return ['--perms', mode, '--size', String(bytes), '--tmpfs', path]
}
