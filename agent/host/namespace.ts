import { execFileSync } from 'node:child_process'
import type { HostLaunch } from './host-launch'

const COMMAND_TIMEOUT_MS = 10_000

/**
 * Prepares the namespaces that this process was started in: loopback up, and the folders that the sandbox's user may
 * reach bound below a private tmpfs. Nothing of it is visible outside.
 */
export function prepareNamespace(namespace: NonNullable<HostLaunch['namespace']>): void {
  const { mountRoot, mounts } = namespace
  const binds = mounts.flatMap(({ source, target }) => [source, target])
  const args = mountRoot === null ? [] : [mountRoot, ...binds]
  execFileSync('/bin/sh', ['-c', PREPARE, 'berth-namespace', ...args], {
    timeout: COMMAND_TIMEOUT_MS,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
}

// Fixed text; everything that varies is an argument. One shell for all of it: a start waits for each program begun here.
const PREPARE = `set -e; umask 022
ip link set lo up
[ $# -gt 0 ] || exit 0
mkdir -p "$1"; mount -t tmpfs -o mode=0755,size=1m,nosuid,nodev berth "$1"; shift
while [ $# -gt 0 ]; do
  if [ -d "$1" ]; then mkdir -p "$2"; else mkdir -p "\${2%/*}"; : >"$2"; fi
  mount --bind "$1" "$2"; shift 2
done`
