import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import type { DesiredInstance } from '@/protocol/sync'
import type { EgressPolicy } from '../../egress/policy'
import type { HostLaunch } from '../../host/host-launch'
import { instancePaths } from '../../host/host-launch'
import { StartRefused } from '../deps'
import { gpuBinds } from './gpu-binds'
import { startHost } from './host-control'
import { shortId } from './instance-record'
import { sandboxedLaunch } from './launch-plan'
import { PROCESSES_MAX } from './limits/bounds'
import { checkMounts, mountRefused } from './mounts/check-mounts'
import { makeMountPoints } from './mounts/mount-points'
import { type BringUp, folderRules, plainNotebook, sandboxedNotebook } from './notebook-parts'
import { plainLaunch } from './plain-launch'
import type { ProcessParts } from './process-parts'
import { writeEtcFiles } from './sandbox/etc-files'
import { isSeccompArch, seccompFilter } from './sandbox/seccomp'
import { readSystemView } from './sandbox/system-view'
import { noteLine } from './start-failure'

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
  const launch = isSandboxed ? await sandboxed(parts, work) : await plain(parts, work)
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

/** The owner's folders as binds, each judged here, and the places where they appear. */
async function mountsOf(parts: ProcessParts, spec: DesiredInstance, at: { workspace: string; uid: number | null }) {
  const { mounts } = spec
  const { workspace, uid } = at
  const binds = await checkMounts({ mounts, rules: folderRules(parts, spec), uid })
  const isLinked = spec.driver === 'process-plain'
  const taken = await makeMountPoints(workspace, mounts, { uid, isLinked })
  if (taken) throw mountRefused(taken.path, 'the workspace has something of that name', 'move it away in the workspace')
  const open = isLinked ? mounts.filter((mount) => mount.mode === 'ro') : []
  // Said where its owner reads: without a sandbox nothing holds a program to reading.
  for (const { path } of open)
    noteLine(instancePaths(parts.store.dir(spec.placementId)).buildLog, `# ${path} can be written here: there is no sandbox`)
  return binds
}

async function plain(parts: ProcessParts, work: BringUp): Promise<HostLaunch> {
  const { spec } = work
  const base = await common(parts, spec, null)
  await mountsOf(parts, spec, { workspace: base.workspace, uid: null })
  const notebook = work.spec.kind === 'notebook' ? await plainNotebook(parts, work, base) : null
  return plainLaunch({ ...base, notebook }, process.env)
}

async function sandboxed(parts: ProcessParts, work: BringUp): Promise<HostLaunch> {
  const { spec } = work
  const uid = parts.isRoot ? await parts.uids.of(spec.tenantId, spec.ownerId) : null
  const base = await common(parts, spec, uid)
  const mounts = await mountsOf(parts, spec, { workspace: base.workspace, uid })
  const tools = await parts.tools()
  const policy = policyOf(spec, tools.registries)
  const notebook = spec.kind === 'notebook' ? await sandboxedNotebook(parts, work, { policy, uid }) : null
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
