import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { onlyThese } from './only-these'

export type StepResult = 'ok' | 'failed' | 'timeout' | 'stopped'
type Options = {
  logFile: string
  signal: AbortSignal
  /** Each line that the step prints: a hint for people, never a decision. */
  line(text: string): void
}

const LOG_BYTES_MAX = 16 * 1024 * 1024

/** Runs one step in its sandbox. Its processes end with it: the sandbox dies with the process that is started here. */
export function runStep(step: { command: readonly string[]; timeoutMs: number }, options: Options): Promise<StepResult> {
  const [file = '', ...args] = step.command
  const log = createWriteStream(options.logFile, { flags: 'a', mode: 0o600 })
  log.on('error', () => undefined) // a full disk costs lines of the log; what the step makes of it is its own answer
  const timeout = AbortSignal.timeout(step.timeoutMs)
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      env: onlyThese({ PATH: process.env.PATH ?? '/usr/bin:/bin' }),
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: AbortSignal.any([options.signal, timeout]),
      killSignal: 'SIGKILL',
    })
    let written = 0
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (text) => {
        written += text.length
        if (written < LOG_BYTES_MAX) log.write(`${text}\n`)
        options.line(text)
      })
    }
    // An abort shows here first; `close` follows and says how it ended.
    child.on('error', () => undefined)
    child.once('close', (code) => {
      log.end()
      if (options.signal.aborted) resolve('stopped')
      else if (timeout.aborted) resolve('timeout')
      else resolve(code === 0 ? 'ok' : 'failed')
    })
  })
}
