import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { BindMount, HostLaunch } from './host-launch'

const COMMAND_TIMEOUT_MS = 10_000

/**
 * Prepares the namespaces that this process was started in: loopback up, and the folders that the sandbox's user may
 * reach bound below a private tmpfs. Nothing of it is visible outside.
 */
export function prepareNamespace({ mountRoot, mounts }: NonNullable<HostLaunch['namespace']>): void {
  raiseLoopback()
  if (mountRoot === null) return
  mkdirSync(mountRoot, { recursive: true })
  run('mount', ['-t', 'tmpfs', '-o', 'mode=0755,size=1m,nosuid,nodev', 'berth', mountRoot])
  for (const { source, target } of mounts) {
    if (statSync(source).isDirectory()) mkdirSync(target, { recursive: true })
    else writeFileSync(target, '')
  }
  // All of them by one program: a start waits for each that is begun here.
  const table = join(mountRoot, 'fstab')
  writeFileSync(table, mounts.map(fstabLine).join(''))
  run('mount', ['--all', '--fstab', table])
  rmSync(table)
}

/** Brings the namespace's loopback up, unless it is. */
export function raiseLoopback(): void {
  if (!networkInterfaces().lo) run('ip', ['link', 'set', 'lo', 'up'])
}

function run(program: string, args: readonly string[]): void {
  execFileSync(program, args, { timeout: COMMAND_TIMEOUT_MS, stdio: ['ignore', 'ignore', 'pipe'] })
}

/** One bind mount as fstab(5) writes it: what would end a field is written in octal. */
export function fstabLine({ source, target }: BindMount): string {
  const [from, to] = [source, target].map((path) =>
    path.replace(/[\s\\#]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`),
  )
  return `${from} ${to} none bind 0 0\n`
}
