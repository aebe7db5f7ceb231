import { chmod, chown, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { dirname, join } from 'node:path'
import type { Progress } from '@/domain/workloads'
import type { Log } from '@/kit/log'
import type { BuildLaunch, BuildLine } from '../../../host/build-launch'
import { StartRefused } from '../../deps'
import type { EgressClient } from '../egress-client'
import type { HostCopy } from '../host-copy'
import { PROCESSES_MAX } from '../limits/bounds'
import type { Cgroups } from '../limits/cgroups'
import { writeEtcFiles } from '../sandbox/etc-files'
import { reachableBinds } from '../sandbox/reachable-binds'
import { isSeccompArch, seccompFilter } from '../sandbox/seccomp'
import { readSystemView } from '../sandbox/system-view'
import type { MachineTools } from '../tools/machine-tools'
import type { Uids } from '../uids'
import { buildBinds, buildCommands } from './build-command'
import { makeBuildFolder } from './build-folder'
import { isDiskFull } from './disk'
import type { EnvironmentAsk, EnvironmentSpec } from './environment-plan'
import { reportOf } from './environment-plan'
import { runBuilder } from './run-builder'

export type BuildDeps = {
  dataDir: string
  isRoot: boolean
  log: Log
  copy: () => Promise<HostCopy>
  tools: () => Promise<MachineTools>
  egress: EgressClient
  cgroups: Cgroups
  uids: Uids
  /** Does an instance that may run have this environment? */
  isUsed: (path: string) => Promise<boolean>
}
export type BuildAsk = EnvironmentAsk & { target: string; progress: (progress: Progress) => void; signal: AbortSignal }

const MEMORY_MIN_BYTES = 2 * 2 ** 30

/** Builds one environment in a temporary folder and renames it. A build that breaks leaves nothing but its log. */
export async function buildEnvironment(deps: BuildDeps, ask: BuildAsk): Promise<void> {
  const folder = dirname(ask.target)
  const { id, temporary } = await makeBuildFolder(ask.target, { isInPlace: false })
  try {
    const launch = await prepare(deps, ask, { temporary, id })
    const launchFile = join(temporary, 'build.json')
    await writeFile(launchFile, JSON.stringify(launch), { mode: 0o600 })
    const { sessionHost } = await deps.copy()
    const run = { isRoot: deps.isRoot, sessionHost, launchFile, logFile: ask.logFile, signal: ask.signal }
    const last = await runBuilder({ ...run, progress: (line) => ask.progress(progressOf(line)) })
    ask.signal.throwIfAborted()
    if (last?.type !== 'done') throw await refusal(folder, last)
    await rename(join(temporary, 'environment'), ask.target)
    deps.log.info('environment built', { role: ask.spec.role, packages: ask.spec.packages.length })
  } finally {
    await deps.egress.drop(id)
    await deps.cgroups.remove(id)
    await rm(temporary, { recursive: true, force: true })
  }
}

async function prepare(
  deps: BuildDeps,
  ask: BuildAsk,
  { temporary, id }: { temporary: string; id: string },
): Promise<BuildLaunch> {
  const processor = process.arch
  if (!isSeccompArch(processor)) throw new StartRefused('driver_missing', `no system call filter for ${processor}`)
  const uid = deps.isRoot ? await deps.uids.ofBuilds(ask.spec.tenantId) : null
  const folders = { environment: join(temporary, 'environment'), work: join(temporary, 'work'), etc: join(temporary, 'etc') }
  for (const path of [folders.environment, folders.work]) await ownedFolder(path, uid)
  await writeEtcFiles(folders.etc)
  const seccompFile = join(temporary, 'seccomp.bpf')
  await writeFile(seccompFile, seccompFilter(processor), { mode: 0o600 })
  await mkdir(dirname(ask.logFile), { recursive: true, mode: 0o700 })
  const tools = await deps.tools()
  const { binds, mountRoot, mounts } = reachableBinds(buildBinds(ask.spec, tools, folders), deps.isRoot)
  const limits = { cpus: cpus().length, memoryBytes: Math.max(ask.memoryBytes, MEMORY_MIN_BYTES), processesMax: PROCESSES_MAX }
  const wrapping = {
    identity: uid === null ? null : { uid, gid: uid },
    cgroups: deps.cgroups.create(id, limits),
    seccompFile,
    statusFile: join(temporary, 'status'),
    processesMax: deps.cgroups.enforces.includes('pids') ? null : PROCESSES_MAX,
  }
  return {
    namespace: { mountRoot, mounts, egressSocket: await deps.egress.set(id, ask.policy) },
    logFile: ask.logFile,
    ...buildCommands({ spec: ask.spec, settings: tools.settings, system: readSystemView(), binds, wrapping }),
    sitePackages: sitePackagesOf(folders.environment, ask.spec),
    report: reportOf(folders),
  }
}

async function ownedFolder(path: string, uid: number | null): Promise<void> {
  await mkdir(path)
  await chmod(path, 0o755)
  if (uid !== null) await chown(path, uid, uid)
}

/** Pure: where installed packages appear. */
export function sitePackagesOf(environment: string, { interpreter }: EnvironmentSpec): string {
  return join(environment, 'lib', `python${interpreter.version.split('.').slice(0, 2).join('.')}`, 'site-packages')
}

/** Pure: a line of a build as the progress of its instance. */
export function progressOf(line: Extract<BuildLine, { type: 'progress' }>): Progress {
  const received = line.received > 0 ? `${(line.received / 1e6).toFixed(1)} MB received` : null
  const detail = [line.detail, received].filter((part) => part !== null).join(' · ')
  const unit = line.done === null ? null : ('packages' as const)
  return { stage: line.stage, detail: detail === '' ? null : detail.slice(0, 120), done: line.done, total: line.total, unit }
}

async function refusal(folder: string, last: BuildLine | null): Promise<StartRefused> {
  if (await isDiskFull(folder)) return new StartRefused('disk_full', 'the disk filled up during a build')
  const subject = last?.type === 'failed' ? last.subject : null
  return new StartRefused('environment_failed', 'an environment could not be built; this log says why', { subject })
}
