import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { BuildLine } from '../../../host/build-launch'
import { buildLine } from '../../../host/build-launch'
import { onlyThese } from '../../../host/only-these'
import { namespaceCommand } from '../sandbox/sandbox-command'

export type BuilderRun = {
  isRoot: boolean
  sessionHost: string
  launchFile: string
  logFile: string
  progress: (line: Extract<BuildLine, { type: 'progress' }>) => void
  signal: AbortSignal
}

/**
 * Runs one build and returns how it ended; null when it broke without saying so. The builder dies with this process: its
 * standard input is a pipe from here.
 */
export function runBuilder(run: BuilderRun): Promise<Exclude<BuildLine, { type: 'progress' }> | null> {
  const [file = '', ...args] = namespaceCommand(run.isRoot, [process.execPath, run.sessionHost, 'build', run.launchFile])
  const log = openSync(run.logFile, 'a', 0o600)
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      // A session of its own: what is built must not reach the terminal that the agent was started from.
      detached: true,
      stdio: ['pipe', 'pipe', log],
      env: onlyThese({ PATH: process.env.PATH ?? '/usr/bin:/bin', LANG: 'C.UTF-8' }),
      cwd: '/',
    })
    closeSync(log)
    const stop = () => child.stdin?.destroy()
    run.signal.addEventListener('abort', stop)
    let last: Exclude<BuildLine, { type: 'progress' }> | null = null
    if (child.stdout)
      createInterface({ input: child.stdout }).on('line', (text) => {
        const line = buildLine.parse(JSON.parse(text))
        if (line.type === 'progress') run.progress(line)
        else last = line
      })
    child.once('error', reject)
    child.once('close', () => {
      run.signal.removeEventListener('abort', stop)
      resolve(last)
    })
    if (run.signal.aborted) stop()
  })
}
