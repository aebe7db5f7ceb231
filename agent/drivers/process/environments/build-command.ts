import type { BuildLaunch } from '../../../host/build-launch'
import type { SandboxBind } from '../sandbox/bwrap-arguments'
import { etcBinds } from '../sandbox/etc-files'
import type { Wrapping } from '../sandbox/sandbox-command'
import { sandboxCommand } from '../sandbox/sandbox-command'
import type { ToolSettings } from '../sandbox/sandbox-environment'
import { sandboxEnvironment } from '../sandbox/sandbox-environment'
import type { SystemView } from '../sandbox/system-view'
import type { MachineTools } from '../tools/machine-tools'
import type { EnvironmentSpec } from './environment-plan'
import { BUILD_DIR, environmentPath, environmentPlan, UV_PATH } from './environment-plan'

/** Folders of a build on this machine. */
export type BuildFolders = { environment: string; work: string; etc: string }

const CREATE_MS = 5 * 60_000
const INSTALL_MS = 60 * 60_000
const TMP_BYTES = 256 * 2 ** 20

/** Pure: what a build sees. Only the environment and its scratch space can be written. */
export function buildBinds(spec: EnvironmentSpec, tools: MachineTools, folders: BuildFolders): SandboxBind[] {
  const uv: SandboxBind[] = spec.uv ? [{ source: spec.uv.path, target: UV_PATH, mode: 'read' }] : []
  return [
    ...etcBinds(folders.etc),
    ...tools.binds,
    ...uv,
    { source: folders.environment, target: environmentPath(spec.role), mode: 'write' },
    { source: folders.work, target: BUILD_DIR, mode: 'write' },
  ]
}

export type BuildParts = {
  spec: EnvironmentSpec
  settings: ToolSettings
  system: SystemView
  binds: readonly SandboxBind[]
  wrapping: Wrapping
}

/** Pure: each step of a plan, and each probe, as a sandboxed command. */
export function buildCommands({ spec, settings, system, binds, wrapping }: BuildParts): Pick<BuildLaunch, 'steps' | 'probes'> {
  const environment = { ...sandboxEnvironment({ tools: settings }), ...BUILD_ENVIRONMENT }
  const inSandbox = (command: readonly string[]) =>
    sandboxCommand({ system, binds, environment, cwd: BUILD_DIR, tmpBytes: TMP_BYTES, command }, wrapping)
  const plan = environmentPlan(spec)
  return {
    steps: plan.steps.map((step) => ({
      ...step,
      command: inSandbox(step.command),
      timeoutMs: step.installs ? INSTALL_MS : CREATE_MS,
    })),
    probes: plan.probes.map((probe) => ({ ...probe, command: inSandbox(probe.command) })),
  }
}

/** Large downloads and unpacked sources go to disk, not to the memory behind /tmp. */
const BUILD_ENVIRONMENT = {
  HOME: BUILD_DIR,
  TMPDIR: BUILD_DIR,
  UV_CACHE_DIR: `${BUILD_DIR}/cache`,
  UV_LINK_MODE: 'copy',
  UV_PYTHON_DOWNLOADS: 'never',
  UV_NO_CONFIG: '1',
}
