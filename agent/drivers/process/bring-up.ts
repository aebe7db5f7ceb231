import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Progress } from '@/domain/workloads'
import type { DesiredInstance } from '@/protocol/sync'
import type { EgressPolicy } from '../../egress/policy'
import type { HostLaunch } from '../../host/host-launch'
import { instancePaths } from '../../host/host-launch'
import { StartRefused } from '../deps'
import { environmentPath, type Role, USER_PREFIX } from './environments/environment-plan'
import { gpuBinds } from './gpu-binds'
import { startHost } from './host-control'
import { shortId } from './instance-record'
import { plainLaunch, sandboxedLaunch } from './launch-plan'
import { PROCESSES_MAX } from './limits/bounds'
import type { FolderRules } from './mounts/allowed-folder'
import { checkMounts, mountRefused } from './mounts/check-mounts'
import { makeMountPoints } from './mounts/mount-points'
import type { ProcessParts } from './process-parts'
import type { SandboxBind } from './sandbox/bwrap-arguments'
import { writeEtcFiles } from './sandbox/etc-files'
import { isSeccompArch, seccompFilter } from './sandbox/seccomp'
import { readSystemView } from './sandbox/system-view'
import { type ExistingPython, existingPython } from './tools/existing-python'
import { writeKernelSpec } from './tools/kernel-spec'

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
  const launch = isSandboxed ? await sandboxed(parts, work) : await plain(parts, spec)
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

async function common(parts: ProcessParts, spec: DesiredInstance, uid: number | null) {
  const workspace = await parts.workspaces.prepare(spec.workloadId, uid)
  return { spec, bootId: parts.bootId, runtimeDir: parts.runtimeDir, instanceDir: parts.store.dir(spec.placementId), workspace }
}

/** Folders of Berth are never shown, whatever the controller asks for. */
function folderRules(parts: ProcessParts, spec: DesiredInstance): FolderRules {
  return { roots: spec.mountRoots, own: [parts.dataDir, parts.runtimeDir] }
}

/** The owner's folders as binds, each judged here, and the places where they appear. */
async function mountsOf(parts: ProcessParts, spec: DesiredInstance, at: { workspace: string; uid: number | null }) {
  const { mounts } = spec
  const { workspace, uid } = at
  const binds = await checkMounts({ mounts, rules: folderRules(parts, spec), uid })
  const isLinked = spec.driver === 'process-plain'
  const taken = await makeMountPoints(workspace, mounts, { uid, isLinked })
  if (taken) throw mountRefused(taken.path, 'the workspace has something of that name', 'move it away in the workspace')
  return binds
}

async function plain(parts: ProcessParts, spec: DesiredInstance): Promise<HostLaunch> {
  const base = await common(parts, spec, null)
  await mountsOf(parts, spec, { workspace: base.workspace, uid: null })
  return plainLaunch(base, process.env)
}

async function sandboxed(parts: ProcessParts, work: BringUp): Promise<HostLaunch> {
  const { spec } = work
  const uid = parts.isRoot ? await parts.uids.of(spec.tenantId, spec.ownerId) : null
  const base = await common(parts, spec, uid)
  const mounts = await mountsOf(parts, spec, { workspace: base.workspace, uid })
  const tools = await parts.tools()
  const policy = policyOf(spec, tools.registries)
  const notebook = spec.kind === 'notebook' ? await notebookParts(parts, work, { policy, uid }) : null
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
    binds: [...tools.binds, ...(notebook?.binds ?? []), ...gpuBinds(spec.devices)],
    mounts,
    python: notebook?.python ?? null,
    egressSocket: await parts.egress.set(id, policy),
    shell: existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh',
  })
}

type Notebook = { binds: SandboxBind[]; python: ExistingPython | null }

/** The server's environment, and the kernel's: built here, or a Python that its owner has. */
async function notebookParts(
  parts: ProcessParts,
  work: BringUp,
  at: { policy: EgressPolicy; uid: number | null },
): Promise<Notebook> {
  const { spec } = work
  // Judged first: it takes a second, and a build takes minutes.
  const ask = { rules: folderRules(parts, spec), isRoot: parts.isRoot, uid: at.uid, isSandboxed: true }
  const python = spec.python === null ? null : await existingPython({ ...ask, path: spec.python })
  const server = await builtBind(parts, work, { role: 'server', policy: at.policy })
  if (python === null) return { binds: [server, await builtBind(parts, work, { role: 'kernel', policy: at.policy })], python }
  const folder = join(parts.store.dir(spec.placementId), 'kernel')
  await writeKernelSpec(folder, { python: python.path, version: python.version, userPrefix: USER_PREFIX })
  return {
    binds: [server, ...python.binds, { source: folder, target: `${environmentPath('kernel')}/share/jupyter`, mode: 'read' }],
    python,
  }
}

async function builtBind(
  parts: ProcessParts,
  { spec, progress, signal }: BringUp,
  { role, policy }: { role: Role; policy: EgressPolicy },
): Promise<SandboxBind> {
  const { interpreter, uv } = await parts.tools()
  if (!interpreter || !(uv || interpreter.hasVenv)) throw new StartRefused('no_python', 'no Python that a sandbox may use')
  const logFile = instancePaths(parts.store.dir(spec.placementId)).buildLog
  const packages = role === 'server' ? spec.server : [KERNEL, ...spec.requirements]
  const ask = {
    spec: { role, tenantId: spec.tenantId, packages, interpreter, uv },
    ...{ policy, memoryBytes: spec.memoryBytes, logFile },
  }
  const folder = await parts.environments.ensure(ask, { progress, signal })
  return { source: folder, target: environmentPath(role), mode: 'read' }
}
