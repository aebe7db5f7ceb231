import { mkdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BuildLaunch } from '../../../host/build-launch'
import { BuildProgress } from '../../../host/build-progress'
import { runStep } from '../../../host/build-step'
import { StartRefused } from '../../deps'
import { ownEnvironment } from '../plain-environment'
import { noteLine } from '../start-failure'
import { type BuildAsk, type BuildDeps, progressOf, sitePackagesOf } from './build-environment'
import { makeBuildFolder, markComplete } from './build-folder'
import { isDiskFull } from './disk'
import { environmentPlan, reportOf } from './environment-plan'

const STEP_MS = 60 * 60_000
const PROBE_MS = 20_000
const PROGRESS_MS = 400
const LOG_BYTES_MAX = 16 * 2 ** 20
/** Lines are logged here, one by one. */
const QUIET = { logFile: '/dev/null' } as const

/**
 * Builds one environment without a sandbox, where it will be used: its programs name its folder. It counts as there once
 * it is marked complete; a build that breaks leaves nothing but its log, and it ends with this process.
 */
export async function buildPlain(deps: BuildDeps, ask: BuildAsk): Promise<void> {
  const { temporary } = await makeBuildFolder(ask.target, { isInPlace: true })
  const place = { environment: ask.target, work: join(temporary, 'work'), uv: ask.spec.uv?.path ?? '' }
  try {
    await mkdir(place.work)
    await mkdir(dirname(ask.logFile), { recursive: true, mode: 0o700 })
    await runAll(ask, { launch: launchOf(ask, place), place })
    await markComplete(ask.target)
    deps.log.info('environment built', { role: ask.spec.role, packages: ask.spec.packages.length })
  } catch (error) {
    await rm(ask.target, { recursive: true, force: true })
    throw error
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

type Place = { environment: string; work: string; uv: string }

function launchOf({ spec, logFile, target }: BuildAsk, place: Place): BuildLaunch {
  const plan = environmentPlan(spec, place)
  const own = { ...ownEnvironment(process.env), TMPDIR: place.work, PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_NO_INPUT: '1' }
  const variables = Object.entries(own).map(([name, value]) => `${name}=${value}`)
  // Whatever it is, it ends with the agent that asked for it.
  const whole = (command: readonly string[]) => [
    'setpriv',
    '--pdeathsig=KILL',
    '--',
    '/usr/bin/env',
    '-i',
    ...variables,
    ...command,
  ]
  return {
    // Nothing is entered here: there is no namespace.
    namespace: { mountRoot: null, mounts: [], egressSocket: '/' },
    logFile,
    steps: plan.steps.map((step) => ({ ...step, command: whole(step.command), timeoutMs: STEP_MS })),
    probes: plan.probes.map((probe) => ({ ...probe, command: whole(probe.command) })),
    sitePackages: sitePackagesOf(target, spec),
    report: reportOf(place),
  }
}

async function runAll(ask: BuildAsk, { launch, place }: { launch: BuildLaunch; place: Place }): Promise<void> {
  const { signal } = ask
  const log = boundedLog(ask.logFile)
  const progress = new BuildProgress(launch)
  const say = () => progress.report((line) => line.type === 'progress' && ask.progress(progressOf(line)))
  const ticker = setInterval(say, PROGRESS_MS)
  try {
    for (const step of launch.steps) {
      progress.enter(step)
      say()
      const result = await runStep(step, {
        ...QUIET,
        signal,
        line: (text) => {
          log(text)
          progress.line(text)
        },
      })
      signal.throwIfAborted()
      if (result === 'ok') continue
      if (await isDiskFull(dirname(place.environment))) throw new StartRefused('disk_full', 'the disk filled up during a build')
      const subject = step.installs ? await culprit(launch, { signal, log }) : null
      throw new StartRefused('environment_failed', 'an environment could not be built; this log says why', { subject })
    }
  } finally {
    clearInterval(ticker)
  }
}

/** A full disk loses lines of the log; it must not take the agent with it. */
function boundedLog(path: string): (line: string) => void {
  let bytes = 0
  return (line) => {
    bytes += line.length
    if (bytes < LOG_BYTES_MAX) noteLine(path, line)
  }
}

/** The first package that cannot be had alone. */
async function culprit(
  { probes }: BuildLaunch,
  { signal, log }: { signal: AbortSignal; log: (line: string) => void },
): Promise<string | null> {
  for (const { subject, command } of probes) {
    const result = await runStep({ command, timeoutMs: PROBE_MS }, { ...QUIET, signal, line: log })
    if (signal.aborted) return null
    if (result === 'failed') return subject
  }
  return null
}
