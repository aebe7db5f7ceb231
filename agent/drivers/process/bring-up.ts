import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import type { Progress } from '@/domain/workloads'
import type { DesiredInstance } from '@/protocol/sync'
import type { EgressPolicy } from '../../egress/policy'
import type { HostLaunch } from '../../host/host-launch'
import { instancePaths } from '../../host/host-launch'
import { StartRefused } from '../deps'
import { environmentPath } from './environments/environment-plan'
import { gpuBinds } from './gpu-binds'
import { startHost } from './host-control'
import { plainLaunch, sandboxedLaunch } from './launch-plan'
import { PROCESSES_MAX } from './limits'
import type { ProcessParts } from './process-parts'
import type { SandboxBind } from './sandbox/bwrap-arguments'
import { writeEtcFiles } from './sandbox/etc-files'
import { isSeccompArch, seccompFilter } from './sandbox/seccomp'
import { readSystemView } from './sandbox/system-view'

export type BringUp = { spec: DesiredInstance; progress(progress: Progress): void; signal: AbortSignal }

/** Of the notebook's kernel, beside what its owner asked for. */
const KERNEL = 'ipykernel'

/**
 * Everything between an accepted start and a session-host whose program runs: workspace, environments, way out, limits,
 * launch. Each part may be there already. Rejects with StartRefused.
 */
export async function bringUp(parts: ProcessParts, work: BringUp): Promise<void> {
  const { spec, signal } = work
  const isSandboxed = spec.driver === 'process-sandboxed'
  const instanceDir = parts.store.dir(spec.placementId)
  const paths = instancePaths(instanceDir)
  await mkdir(paths.logDir, { recursive: true, mode: 0o700 })
  work.progress({ stage: 'creating', detail: null, done: null, total: null, unit: null })
  const launch = isSandboxed ? await sandboxed(parts, work) : plainLaunch(await common(parts, spec, null), process.env)
  signal.throwIfAborted()
  await writeFile(paths.launchFile, JSON.stringify(launch), { mode: 0o600 })
  work.progress({ stage: 'starting', detail: null, done: null, total: null, unit: null })
  const { sessionHost } = await parts.copy()
  const host = await startHost({ instanceDir, bootId: parts.bootId, sessionHost, isRoot: parts.isRoot, isSandboxed }, signal)
  if (host === null) throw new StartRefused('start_failed', 'the session-host ended; its log says why')
  if (host.childPid === null) throw new StartRefused('start_failed', 'the program could not be started')
}

/** What a workload may reach: its runtime's list, and the package registries of this machine. */
function policyOf(spec: Pick<DesiredInstance, 'egress'>, registries: EgressPolicy['registries']): EgressPolicy {
  return { open: spec.egress.open, allow: spec.egress.allow, registries: [...registries] }
}

/** Name of an instance's way out and of its control groups: its placement id without dashes. */
export function shortId(placementId: string): string {
  return placementId.replaceAll('-', '')
}

async function common(parts: ProcessParts, spec: DesiredInstance, uid: number | null) {
  const workspace = await parts.workspaces.prepare(spec.workloadId, uid)
  return { spec, bootId: parts.bootId, runtimeDir: parts.runtimeDir, instanceDir: parts.store.dir(spec.placementId), workspace }
}

async function sandboxed(parts: ProcessParts, work: BringUp): Promise<HostLaunch> {
  const { spec } = work
  const uid = parts.isRoot ? await parts.uids.of(spec.tenantId, spec.ownerId) : null
  const base = await common(parts, spec, uid)
  const tools = await parts.tools()
  const policy = policyOf(spec, tools.registries)
  const environments = spec.kind === 'notebook' ? await notebookBinds(parts, work, policy) : []
  const paths = instancePaths(base.instanceDir)
  await writeEtcFiles(paths.etcDir)
  const processor = process.arch
  if (!isSeccompArch(processor)) throw new StartRefused('driver_missing', `no system call filter for ${processor}`)
  await writeFile(paths.seccompFile, seccompFilter(processor), { mode: 0o600 })
  const id = shortId(spec.placementId)
  const { cpus, memoryBytes } = spec
  return sandboxedLaunch({
    ...base,
    isRoot: parts.isRoot,
    wrapping: {
      identity: uid === null ? null : { uid, gid: uid },
      cgroups: parts.cgroups.create(id, { cpus, memoryBytes, processesMax: PROCESSES_MAX }),
      seccompFile: paths.seccompFile,
      statusFile: paths.statusFile,
      processesMax: parts.cgroups.enforces.includes('pids') ? null : PROCESSES_MAX,
    },
    system: readSystemView(),
    settings: tools.settings,
    binds: [...tools.binds, ...environments, ...gpuBinds(spec.devices)],
    egressSocket: await parts.egress.set(id, policy),
    shell: existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh',
  })
}

async function notebookBinds(parts: ProcessParts, work: BringUp, policy: EgressPolicy): Promise<SandboxBind[]> {
  const { spec, progress, signal } = work
  const { interpreter, uv } = await parts.tools()
  if (!interpreter || !(uv || interpreter.hasVenv)) throw new StartRefused('no_python', 'no Python that a sandbox may use')
  const logFile = instancePaths(parts.store.dir(spec.placementId)).buildLog
  const roles = { server: spec.server, kernel: [KERNEL, ...spec.requirements] } as const
  const binds: SandboxBind[] = []
  for (const role of ['server', 'kernel'] as const) {
    const ask = {
      spec: { role, tenantId: spec.tenantId, packages: roles[role], interpreter, uv },
      ...{ policy, memoryBytes: spec.memoryBytes, logFile },
    }
    const folder = await parts.environments.ensure(ask, { progress, signal })
    binds.push({ source: folder, target: environmentPath(role), mode: 'read' })
  }
  return binds
}
