import type { HostLaunch } from './host-launch'

type Wrapped = Pick<HostLaunch, 'command' | 'statusFile'>

/** Pure: the argument list of a command that is started as the session's program was: the wrappers stay, what they run is another. Null: there are none where they should be. */
export function besides(launch: Wrapped, command: readonly string[], statusFile: string): string[] | null {
  if (launch.statusFile === null) return [...command]
  const at = programAt(launch)
  if (at === null) return null
  const wrappers = launch.command.slice(0, at)
  return [...wrappers.map((argument) => (argument === launch.statusFile ? statusFile : argument)), ...command]
}

/** Pure: the name of the program that a launch runs, without what it is wrapped in. */
export function programOf(launch: Wrapped): string {
  return launch.command[programAt(launch) ?? 0] ?? ''
}

/** Behind bubblewrap's own arguments; null: it is not there. */
function programAt({ command, statusFile }: Wrapped): number | null {
  if (statusFile === null) return 0
  const sandbox = command.indexOf('bwrap')
  const end = command.indexOf('--', sandbox)
  return sandbox < 0 || end < 0 ? null : end + 1
}
