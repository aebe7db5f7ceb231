import { join } from 'node:path'
import { doorSocket } from '@/protocol/paths'
import type { HostLaunch } from '../../host/host-launch'
import { MARKER_NAME } from '../../host/host-launch'
import { commonLaunch, type LaunchParts } from './launch-plan'
import type { PlainNotebook } from './notebook-parts'
import { ownEnvironment } from './plain-environment'
import { START_PLAIN_SERVER } from './start-server'
import { HOME_NAME } from './workspaces'

export type PlainParts = LaunchParts & { notebook: PlainNotebook | null }

/** Pure: the launch of a plain process. It runs with the agent's own rights, in the workspace, and is found by its marker. */
export function plainLaunch(parts: PlainParts, own: Readonly<Record<string, string | undefined>>): HostLaunch {
  const shell = own.SHELL ?? '/bin/sh'
  const environment = ownEnvironment(own)
  const program =
    parts.notebook === null
      ? { command: parts.spec.command ?? [shell, '-l'], environment: {} }
      : serverOf(parts, parts.notebook, environment)
  return {
    ...commonLaunch(parts),
    namespace: null,
    command: program.command,
    environment: {
      ...environment,
      ...{ TERM: 'xterm-256color', COLORTERM: 'truecolor', [MARKER_NAME]: parts.spec.placementId },
      ...program.environment,
    },
    cwd: parts.workspace,
    statusFile: null,
    ptyOwner: null,
  }
}

/**
 * A server that listens on its door itself: a port of the machine would be everybody's. The token is in a file that only
 * this user reads; settings and running kernels of the owner's other servers are not shared.
 */
function serverOf(
  { runtimeDir, workspace, instanceDir, spec }: PlainParts,
  notebook: PlainNotebook,
  own: Record<string, string>,
) {
  const home = join(workspace, HOME_NAME)
  return {
    command: [
      ...[join(notebook.server, 'bin', 'python'), '-c', START_PLAIN_SERVER, '--no-browser'],
      ...[`--ServerApp.sock=${doorSocket(runtimeDir, spec.placementId, 'main')}`, '--ServerApp.sock_mode=0600'],
      ...['--ServerApp.password=', '--ServerApp.base_url=/', '--ServerApp.allow_remote_access=True', '--allow-root'],
      ...[`--ServerApp.root_dir=${workspace}`, '--ServerApp.quit_button=False'],
    ],
    environment: {
      JUPYTER_TOKEN_FILE: notebook.tokenFile,
      JUPYTER_PATH: notebook.kernelSpecs,
      JUPYTER_CONFIG_DIR: join(home, '.jupyter'),
      JUPYTER_DATA_DIR: join(home, '.local', 'share', 'jupyter'),
      JUPYTER_RUNTIME_DIR: join(instanceDir, 'runtime'),
      PATH: [notebook.kernelBin, own.PATH ?? '/usr/bin:/bin'].join(':'),
    },
  }
}
