import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { HostLaunch } from './host-launch'

const COMMAND_TIMEOUT_MS = 10_000

/**
 * Prepares the namespaces that this process was started in: loopback up, and the folders that the sandbox's user may
 * reach bound below a private tmpfs. Nothing of it is visible outside.
 */
export function prepareNamespace(namespace: NonNullable<HostLaunch['namespace']>): void {
  run('ip', ['link', 'set', 'lo', 'up'])
  if (namespace.mountRoot === null) return
  mkdirSync(namespace.mountRoot, { recursive: true, mode: 0o755 })
  run('mount', ['-t', 'tmpfs', '-o', 'mode=0755,size=1m,nosuid,nodev', 'berth', namespace.mountRoot])
  for (const { source, target } of namespace.mounts) {
    makeTarget(source, target)
    run('mount', ['--bind', source, target])
  }
}

function makeTarget(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true, mode: 0o755 })
  if (statSync(source).isDirectory()) mkdirSync(target, { recursive: true, mode: 0o755 })
  else writeFileSync(target, '')
}

function run(command: string, args: string[]): void {
  execFileSync(command, args, { timeout: COMMAND_TIMEOUT_MS, stdio: ['ignore', 'ignore', 'pipe'] })
}
