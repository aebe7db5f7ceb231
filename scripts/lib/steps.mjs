// Runs build and test steps as child processes, with progress of our own: `npm ci` alone is silent for minutes.
import { spawn } from 'node:child_process'
import { StartError } from './places.mjs'

const started = performance.now()
const QUIET = { CHECKPOINT_DISABLE: '1', NEXT_TELEMETRY_DISABLED: '1', npm_config_update_notifier: 'false' }

/** One line with the seconds since this process began. */
export function say(text) {
  console.log(`[${((performance.now() - started) / 1000).toFixed(1).padStart(5)} s] ${text}`)
}

/**
 * Runs a command, given as an argument list, without a shell. Resolves to { code, output, seconds }; output is kept for the one who reports a
 * failure. `live` also passes it through. Says every 15 s that it still works.
 */
export function run(what, [command, ...args], options = {}) {
  const begin = performance.now()
  if (!options.quiet) say(options.note ? `${what} (${options.note})` : what)
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: options.cwd,
      env: { ...process.env, ...QUIET, ...options.env },
    })
    const chunks = []
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        chunks.push(chunk)
        if (options.live) process.stdout.write(chunk)
      })
    }
    const tick = setInterval(() => !options.quiet && say(`${what}, still at it`), 15_000)
    const end = (code) => {
      clearInterval(tick)
      resolve({ code, output: Buffer.concat(chunks).toString(), seconds: (performance.now() - begin) / 1000 })
    }
    child.once('error', (error) => {
      chunks.push(Buffer.from(`${error.message}\n`))
      end(127)
    })
    child.once('close', (code, signal) => end(code ?? (signal ? 128 : 1)))
  })
}

/** Like `run`, but a failure prints the output and throws. */
export async function must(what, command, options = {}) {
  const result = await run(what, command, options)
  if (result.code === 0) return result
  if (!options.live) process.stderr.write(result.output.slice(-8000))
  throw new StartError(`${what} failed (exit code ${result.code}); what it said is above`)
}
