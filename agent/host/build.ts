import { appendFileSync } from 'node:fs'
import type { BuildLaunch, BuildLine } from './build-launch'
import { BuildProgress } from './build-progress'
import { runStep } from './build-step'
import { PROXY_PORT } from './host-launch'
import { prepareNamespace } from './namespace'
import { openRelay } from './relay'

const PROBE_MS = 20_000
const PROBES_MS = 60_000
const PROGRESS_MS = 400

/** Builds one environment and prints how it goes. Ends with its agent: when standard input closes, nothing runs any more. */
export async function runBuild(launch: BuildLaunch): Promise<void> {
  const agentGone = new AbortController()
  process.stdin.resume()
  process.stdin.once('close', () => agentGone.abort())
  prepareNamespace(launch.namespace)
  const progress = new BuildProgress(launch)
  await openRelay({ host: '127.0.0.1', port: PROXY_PORT }, { path: launch.namespace.egressSocket }, (n) => progress.received(n))
  const ticker = setInterval(() => progress.report(say), PROGRESS_MS)
  const last = await steps(launch, progress, agentGone.signal)
  clearInterval(ticker)
  say(last)
  process.exit(0)
}

async function steps(launch: BuildLaunch, progress: BuildProgress, signal: AbortSignal): Promise<BuildLine> {
  for (const step of launch.steps) {
    progress.enter(step)
    progress.report(say)
    appendFileSync(launch.logFile, `\n# ${step.stage}\n`)
    const result = await runStep(step, { logFile: launch.logFile, signal, line: (text) => progress.line(text) })
    if (result === 'ok') continue
    const isSearchable = step.installs && result === 'failed'
    return { type: 'failed', stage: step.stage, subject: isSearchable ? await culprit(launch, signal) : null }
  }
  return { type: 'done' }
}

/** Asks for each package alone: the installer's exit code says which one cannot be had. */
async function culprit(launch: BuildLaunch, signal: AbortSignal): Promise<string | null> {
  const end = Date.now() + PROBES_MS
  for (const { subject, command } of launch.probes) {
    const left = end - Date.now()
    if (left <= 0 || signal.aborted) return null
    const step = { command, timeoutMs: Math.min(PROBE_MS, left) }
    if ((await runStep(step, { logFile: launch.logFile, signal, line: () => undefined })) === 'failed') return subject
  }
  return null
}

function say(line: BuildLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
