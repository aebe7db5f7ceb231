import { dirname, join } from 'node:path'
import { doorSocket } from '@/protocol/paths'
import type { DesiredInstance } from '@/protocol/sync'
import { PROTOCOL } from '@/protocol/version'
import type { HostLaunch } from '../../host/host-launch'
import { instancePaths, MAIN_PORT } from '../../host/host-launch'
import { environmentPath } from './environments/environment-plan'
import { FIRST_SIZE, GRACE_MS } from './limits/bounds'
import type { SandboxBind } from './sandbox/bwrap-arguments'
import { etcBinds } from './sandbox/etc-files'
import { reachableBinds } from './sandbox/reachable-binds'
import type { Wrapping } from './sandbox/sandbox-command'
import { sandboxCommand } from './sandbox/sandbox-command'
import type { ToolSettings } from './sandbox/sandbox-environment'
import { sandboxEnvironment, WORKSPACE } from './sandbox/sandbox-environment'
import type { SystemView } from './sandbox/system-view'
import { START_SERVER } from './start-server'
import type { ExistingPython } from './tools/existing-python'

/** Everything a launch is made of; how it came about is the caller's business. */
export type LaunchParts = {
  spec: DesiredInstance
  bootId: string
  runtimeDir: string
  instanceDir: string
  workspace: string
}
export type SandboxParts = LaunchParts & {
  isRoot: boolean
  wrapping: Wrapping
  system: SystemView
  settings: ToolSettings
  /** Certificates, GPUs, environments. */
  binds: readonly SandboxBind[]
  /** Folders of the owner, shown in the workspace. */
  mounts: readonly SandboxBind[]
  /** A Python of the owner as the kernel, instead of the environment that was built. */
  python: ExistingPython | null
  egressSocket: string
  shell: string
}

/** Pure: the launch of a sandboxed instance. */
export function sandboxedLaunch(parts: SandboxParts): HostLaunch {
  const { spec, wrapping } = parts
  const { etcDir } = instancePaths(parts.instanceDir)
  const workspace: SandboxBind = { source: parts.workspace, target: WORKSPACE, mode: 'write' }
  const { binds, mountRoot, mounts } = reachableBinds(
    [...etcBinds(etcDir), ...parts.binds, workspace, ...parts.mounts],
    parts.isRoot,
  )
  const program = spec.kind === 'notebook' ? notebookProgram(parts.python) : shellProgram(parts)
  const sandbox = {
    system: parts.system,
    binds,
    environment: {
      ...sandboxEnvironment({ tools: parts.settings, paths: program.paths }),
      ...program.environment,
      ...gpuSettings(spec),
    },
    cwd: WORKSPACE,
    tmpBytes: Math.max(Math.floor(spec.memoryBytes / 2), 64 * 2 ** 20),
    command: program.command,
  }
  return {
    ...commonLaunch(parts),
    namespace: { mountRoot, mounts, egressSocket: parts.egressSocket },
    command: sandboxCommand(sandbox, wrapping),
    environment: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' },
    cwd: '/',
    statusFile: wrapping.statusFile,
    ptyOwner: wrapping.identity,
  }
}

type Program = { command: readonly string[]; environment: Record<string, string>; paths: readonly string[] }

function shellProgram({ spec, shell }: SandboxParts): Program {
  return { command: spec.command ?? [shell, '-l'], environment: {}, paths: [] }
}

/** The server is reached through the gateway alone: nobody else can open its socket, so it asks for no password. */
function notebookProgram(python: ExistingPython | null): Program {
  const [server, kernel] = [environmentPath('server'), environmentPath('kernel')]
  return {
    command: [
      ...[`${server}/bin/python`, '-c', START_SERVER, '--no-browser', '--ip=127.0.0.1', `--port=${MAIN_PORT}`],
      ...['--ServerApp.port_retries=0', '--IdentityProvider.token=', '--ServerApp.password=', '--ServerApp.base_url=/'],
      ...['--ServerApp.allow_remote_access=True', `--ServerApp.root_dir=${WORKSPACE}`, '--ServerApp.quit_button=False'],
    ],
    // The kernel's folder comes first, so that its kernelspec and its extensions of the page win.
    environment: { JUPYTER_PATH: `${kernel}/share/jupyter`, SHELL: '/bin/bash', ...kernelVersion(python) },
    paths: [python === null ? `${kernel}/bin` : dirname(python.path)],
  }
}

function kernelVersion(python: ExistingPython | null): Record<string, string> {
  return python === null ? {} : { KERNEL_VERSION: python.version.split('.').slice(0, 2).join('.') }
}

function gpuSettings(spec: DesiredInstance): Record<string, string> {
  return spec.devices.length === 0 ? {} : { CUDA_VISIBLE_DEVICES: spec.devices.join(',') }
}

type Common = Omit<HostLaunch, 'namespace' | 'command' | 'environment' | 'cwd' | 'statusFile' | 'ptyOwner'>

/** Pure: what every launch says, in whatever it runs. */
export function commonLaunch({ spec, bootId, runtimeDir, instanceDir }: LaunchParts): Common {
  const { placementId, workloadId, workloadGen } = spec
  return {
    ...{ protocol: PROTOCOL.host, placementId, workloadId, workloadGen, bootId, instanceDir },
    kind: spec.kind === 'session' ? 'terminal' : 'service',
    doors: {
      main: doorSocket(runtimeDir, placementId, 'main'),
      terminal: doorSocket(runtimeDir, placementId, 'terminal'),
      state: stateSocket(runtimeDir, placementId),
    },
    ...FIRST_SIZE,
    graceMs: GRACE_MS,
  }
}

/** Where a session-host says how it is: beside the doors, for the agent alone. */
export function stateSocket(runtimeDir: string, placementId: string): string {
  return join(dirname(doorSocket(runtimeDir, placementId, 'main')), 'state.sock')
}
