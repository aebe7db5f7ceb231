import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Progress } from '@/domain/workloads'
import { doorTokenFile } from '@/protocol/paths'
import type { DesiredInstance } from '@/protocol/sync'
import type { EgressPolicy } from '../../egress/policy'
import { instancePaths } from '../../host/host-launch'
import { writeFileWhole } from '../../json-file'
import { StartRefused } from '../deps'
import { environmentPath, type Role, USER_PREFIX } from './environments/environment-plan'
import { folderRules } from './mounts/show-folders'
import type { ProcessParts } from './process-parts'
import type { SandboxBind } from './sandbox/bwrap-arguments'
import { type ExistingPython, existingPython } from './tools/existing-python'
import { writeKernelSpec } from './tools/kernel-spec'
import { HOME_NAME } from './workspaces'

/** One start: what is wanted, whom to tell how far it is, and when to give up. */
export type BringUp = { spec: DesiredInstance; progress(progress: Progress): void; signal: AbortSignal }
/** Environments as a sandbox sees them. */
export type SandboxedNotebook = { binds: SandboxBind[]; python: ExistingPython | null }
/** Programs and folders of a notebook that runs without a sandbox. */
export type PlainNotebook = { server: string; kernelBin: string; kernelSpecs: string; tokenFile: string }

/** Of the notebook's kernel, beside what its owner asked for. */
const KERNEL = 'ipykernel'
const TOKEN_BYTES = 32

/** The server's environment, and the kernel's: built here, or a Python that its owner has. */
export async function sandboxedNotebook(
  parts: ProcessParts,
  work: BringUp,
  at: { policy: EgressPolicy; uid: number | null },
): Promise<SandboxedNotebook> {
  const { spec } = work
  // Judged first: it takes a second, and a build takes minutes.
  const python = await chosenPython(parts, spec, { uid: at.uid, isSandboxed: true })
  const bind = async (role: Role): Promise<SandboxBind> => {
    const source = await built(parts, work, { role, policy: at.policy })
    return { source, target: environmentPath(role), mode: 'read' }
  }
  const server = await bind('server')
  if (python === null) return { binds: [server, await bind('kernel')], python }
  const source = join(parts.store.dir(spec.placementId), 'kernel')
  await writeKernelSpec(source, { python: python.path, version: python.version, userPrefix: USER_PREFIX })
  const specs: SandboxBind = { source, target: `${environmentPath('kernel')}/share/jupyter`, mode: 'read' }
  return { binds: [server, ...python.binds, specs], python }
}

/** The same without a sandbox: nothing is bound, so the folders are named as they are; the server's door wants a token. */
export async function plainNotebook(parts: ProcessParts, work: BringUp, at: { workspace: string }): Promise<PlainNotebook> {
  const { spec } = work
  const chosen = await chosenPython(parts, spec, { uid: null, isSandboxed: false })
  const policy = { open: true, allow: [], registries: [] }
  const server = await built(parts, work, { role: 'server', policy })
  const kernel = chosen?.path ?? join(await built(parts, work, { role: 'kernel', policy }), 'bin', 'python')
  const version = chosen?.version ?? (await parts.tools()).interpreter?.version ?? ''
  const kernelSpecs = join(parts.store.dir(spec.placementId), 'kernel')
  // An environment that was built is shared; what a notebook installs goes to its own home. A Python of its owner is its owner's.
  const userPrefix = chosen === null ? join(at.workspace, HOME_NAME, '.local') : null
  await writeKernelSpec(kernelSpecs, { python: kernel, version, userPrefix })
  return { server, kernelBin: dirname(kernel), kernelSpecs, tokenFile: await writeToken(parts, spec) }
}

async function chosenPython(
  parts: ProcessParts,
  spec: DesiredInstance,
  at: { uid: number | null; isSandboxed: boolean },
): Promise<ExistingPython | null> {
  if (spec.python === null) return null
  return existingPython({ path: spec.python, rules: folderRules(parts, spec), isRoot: parts.isRoot, ...at })
}

async function built(parts: ProcessParts, work: BringUp, at: { role: Role; policy: EgressPolicy }): Promise<string> {
  const { spec, progress, signal } = work
  const { interpreter, uv } = await parts.tools()
  if (!interpreter || !(uv || interpreter.hasVenv))
    throw new StartRefused('no_python', 'no Python 3.11 or newer that can make environments')
  const logFile = instancePaths(parts.store.dir(spec.placementId)).buildLog
  const packages = at.role === 'server' ? spec.server : [KERNEL, ...spec.requirements]
  const isPlain = spec.driver === 'process-plain'
  const wanted = { role: at.role, tenantId: spec.tenantId, packages, interpreter, uv, isPlain }
  return parts.environments.ensure(
    { spec: wanted, policy: at.policy, memoryBytes: spec.memoryBytes, logFile },
    { progress, signal },
  )
}

/**
 * In a folder that only this user enters: whoever can read it may use the notebook. One that is there stays: a server that
 * an agent before this one started has read it.
 */
async function writeToken({ runtimeDir }: ProcessParts, { placementId }: DesiredInstance): Promise<string> {
  const path = doorTokenFile(runtimeDir, placementId)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  if (!existsSync(path)) await writeFileWhole(path, randomBytes(TOKEN_BYTES).toString('hex'))
  return path
}
