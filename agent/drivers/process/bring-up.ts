import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import type { DesiredInstance } from '@/protocol/sync'
import type { EgressPolicy } from '../../egress/policy'
import { programOf } from '../../host/besides'
import type { HostLaunch } from '../../host/host-launch'
import { instancePaths } from '../../host/host-launch'
import { StartRefused } from '../deps'
import { gpuBinds } from './gpu-binds'
import { endHost, startHost } from './host-control'
import { shortId } from './instance-record'
import { sandboxedLaunch } from './launch-plan'
import { PROCESSES_MAX } from './limits/bounds'
import type { CheckedMount } from './mounts/check-mounts'
import { noteOpenFolders, showFolders } from './mounts/show-folders'
import { verifyShown } from './mounts/verify-shown'
import { type BringUp, plainNotebook, sandboxedNotebook } from './notebook-parts'
import { plainLaunch } from './plain-launch'
import type { ProcessParts } from './process-parts'
import { writeEtcFiles } from './sandbox/etc-files'
import { isSeccompArch, seccompFilter } from './sandbox/seccomp'
import { readSystemView } from './sandbox/system-view'
import { lastWords, noProgram, refuseNoProgram } from './start-failure'

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
  const { launch, mounts } = isSandboxed ? await sandboxed(parts, work) : await plain(parts, work)
  if (!isSandboxed && spec.kind === 'session') await refuseNoProgram(launch)
  signal.throwIfAborted()
  await writeFile(paths.launchFile, JSON.stringify(launch), { mode: 0o600 })
  work.progress({ stage: 'starting', detail: null, done: null, total: null, unit: null })
  const { sessionHost } = await parts.copy()
  const host = await startHost(
    { instanceDir, bootId: parts.bootId, sessionHost, isRoot: parts.isRoot, isSandboxed, spare: parts.spare },
    signal,
  )
  if (host === null) throw new StartRefused('start_failed', 'the session-host ended; its log says why')
  if (host.childPid === null) {
    if (host.startFault && spec.command !== null) {
      await endHost(instanceDir, parts.bootId) // there is nothing in it to look at
      throw noProgram(host.startFault, programOf(launch))
    }
    const said = lastWords(spec.kind === 'session' ? paths.recordDir : paths.serviceDir)
    throw new StartRefused('start_failed', `the program could not be started${said && `: ${said}`}`)
  }
  await verifyShown(host.childPid, mounts).catch(async (error: unknown) => {
    await endHost(instanceDir, parts.bootId)
    throw error
  })
}

/** A launch, and the folders that it shows. */
type Prepared = { launch: HostLaunch; mounts: readonly CheckedMount[] }

/** What a workload may reach: its runtime's list, and the package registries of this machine. */
function policyOf(spec: Pick<DesiredInstance, 'egress'>, registries: EgressPolicy['registries']): EgressPolicy {
  return { open: spec.egress.open, allow: spec.egress.allow, registries: [...registries] }
}

async function common(parts: ProcessParts, spec: DesiredInstance, uid: number | null) {
  const workspace = await parts.workspaces.prepare(spec.workloadId, uid)
  return { spec, bootId: parts.bootId, runtimeDir: parts.runtimeDir, instanceDir: parts.store.dir(spec.placementId), workspace }
}

async function plain(parts: ProcessParts, work: BringUp): Promise<Prepared> {
  const { spec } = work
  const base = await common(parts, spec, null)
  await showFolders(parts, spec, { workspace: base.workspace, uid: null })
  noteOpenFolders(parts, spec)
  const notebook = work.spec.kind === 'notebook' ? await plainNotebook(parts, work, base) : null
  return { launch: plainLaunch({ ...base, notebook }, process.env), mounts: [] }
}

async function sandboxed(parts: ProcessParts, work: BringUp): Promise<Prepared> {
  const { spec } = work
  const uid = parts.isRoot ? await parts.uids.of(spec.tenantId, spec.ownerId) : null
  const base = await common(parts, spec, uid)
  const to = { workspace: base.workspace, uid }
  // Before a build that takes minutes, and again after it.
  await showFolders(parts, spec, to)
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
  const mounts = await showFolders(parts, spec, to)
  const launch = sandboxedLaunch({
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
  return { launch, mounts }
}
