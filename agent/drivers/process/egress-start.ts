import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { onlyThese } from '../../host/only-these'
import type { HostCopy } from './host-copy'
import { HOST_FLAGS } from './limits/bounds'

/** Starts the machine's egress process: detached, its output in a file, and no channel to this process, which it outlives. */
export async function startEgress(options: {
  dataDir: string
  runtimeDir: string
  copy: () => Promise<HostCopy>
}): Promise<void> {
  const { egress } = await options.copy()
  const stateDir = join(options.dataDir, 'egress')
  await mkdir(stateDir, { recursive: true, mode: 0o700 })
  const log = openSync(join(stateDir, 'egress.log'), 'a', 0o600)
  const child = spawn(process.execPath, [...HOST_FLAGS, egress, stateDir, options.runtimeDir], {
    detached: true,
    stdio: ['ignore', log, log],
    env: onlyThese({ PATH: process.env.PATH ?? '/usr/bin:/bin', LANG: 'C.UTF-8' }),
    cwd: '/',
  })
  // Whether it came up shows when it is dialled.
  child.on('error', () => undefined)
  child.unref()
  closeSync(log)
}
