import { existsSync, utimesSync } from 'node:fs'
import { appendFile, copyFile, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Progress } from '@/domain/workloads'
import type { BuildDeps } from './build-environment'
import { buildEnvironment } from './build-environment'
import { isBuilt, sweepBuilds } from './build-folder'
import { buildPlain } from './build-plain'
import type { EnvironmentAsk } from './environment-plan'
import { environmentKey } from './environment-plan'
import { pruneEnvironments } from './prune'

type EnvironmentWatch = { progress(progress: Progress): void; signal: AbortSignal }

/** Environments of this machine, by content. Read-only once they exist; built once, whoever asks first. */
export type Environments = {
  /** The folder of an environment, built when it is not there. Rejects with StartRefused, and then nothing of it is left. */
  ensure(ask: EnvironmentAsk, watch: EnvironmentWatch): Promise<string>
}

type Build = {
  done: Promise<void>
  watchers: Set<EnvironmentWatch>
  logFile: string
  abort: AbortController
}

/** The environments of a data directory: each is built once, whoever waits for it. */
export function openEnvironments(deps: BuildDeps): Environments {
  const folder = join(deps.dataDir, 'environments')
  const builds = new Map<string, Build>()
  let swept: Promise<void> | null = null
  const begin = (ask: EnvironmentAsk, target: string): Build => {
    const abort = new AbortController()
    const watchers = new Set<EnvironmentWatch>()
    const progress = (now: Progress) => {
      for (const watcher of watchers) watcher.progress(now)
    }
    const build = ask.spec.isPlain ? buildPlain : buildEnvironment
    const done = build(deps, { ...ask, target, progress, signal: abort.signal })
      // Behind the answer: whoever waits for the build does not wait for what others no longer need.
      .then(() => void prune(deps, folder))
      .finally(() => builds.delete(target))
    return { done, watchers, logFile: ask.logFile, abort }
  }
  return {
    ensure: async (ask, watch) => {
      // What ended agents left goes before the first environment is wanted; a failure is tried again with the next.
      swept ??= sweepBuilds(deps, folder).catch((error: unknown) => {
        swept = null
        throw error
      })
      await swept
      const target = join(folder, environmentKey(ask.spec))
      // One that nobody waits for any more is being cleared away: whoever comes now begins anew behind it.
      for (let old = builds.get(target); old?.abort.signal.aborted; old = builds.get(target))
        await old.done.catch(() => undefined)
      if (!use(target, ask.spec.isPlain)) {
        const build = builds.get(target) ?? begin(ask, target)
        builds.set(target, build)
        await follow(build, ask, watch)
        use(target, ask.spec.isPlain)
      }
      return target
    },
  }
}

/** Takes it into use when it is there, in one step, so that no pruning comes in between: least recent use decides that. */
function use(target: string, isPlain: boolean): boolean {
  if (!isBuilt(target, isPlain)) return false
  const now = new Date()
  utimesSync(target, now, now)
  return true
}

/** So many environments are kept; each is some hundred megabytes. */
const KEPT_MAX = 16
const RECENT_MS = 60 * 60_000

/** A build makes room for itself. That it cannot is no failure of what was built. */
async function prune(deps: BuildDeps, folder: string): Promise<void> {
  const rules = { countMax: KEPT_MAX, usedSinceMs: Date.now() - RECENT_MS, isUsed: deps.isUsed }
  await pruneEnvironments(folder, rules).catch((error: unknown) => deps.log.warn('environments not pruned', { error }))
}

/** Waits with the others for one build. It is stopped when nobody waits any more. */
async function follow(build: Build, ask: EnvironmentAsk, watch: EnvironmentWatch): Promise<void> {
  build.watchers.add(watch)
  const leave = async () => {
    build.watchers.delete(watch)
    if (build.watchers.size > 0) return
    build.abort.abort()
    // Whoever stopped it may rely on nothing of it running and nothing being left.
    await build.done.catch(() => undefined)
  }
  const left = new Promise<never>((_resolve, reject) => {
    watch.signal.addEventListener('abort', () => reject(watch.signal.reason as Error), { once: true })
  })
  try {
    watch.signal.throwIfAborted()
    await Promise.race([build.done, left])
  } finally {
    await leave()
    if (build.logFile !== ask.logFile) await shareLog(build.logFile, ask.logFile)
  }
}

/** Whoever joined a build finds its log beside the own one. */
async function shareLog(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  if (existsSync(to)) await appendFile(to, '\n# built together with another workload\n')
  else if (existsSync(from)) await copyFile(from, to)
}
