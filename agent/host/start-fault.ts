import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import type { StartFault } from '@/protocol/terminal'
import { besides } from './besides'
import type { HostLaunch } from './host-launch'
import { onlyThese } from './only-these'

const LOOK_MS = 10_000
/** As a shell tells them. */
export const FAULT_CODES: Record<StartFault, number> = { command_missing: 127, command_refused: 126 }

// Fixed text; the name is an argument. Looks where the kernel looks. Its codes are its own: a wrapper that fails has others.
const LOOK = `set -f; IFS=:; code=202
look() { [ -f "$1" ] && [ -x "$1" ] && exit 201; [ -e "$1" ] && code=203; }
case $1 in '') ;; */*) look "$1" ;; *) for folder in $PATH; do look "\${folder:-.}/$1"; done ;; esac
exit $code`
const ANSWERS = new Map<number | null, Look>([
  [201, 'ok'],
  [202, 'command_missing'],
  [203, 'command_refused'],
])

/** How a program is launched. */
type Asked = Pick<HostLaunch, 'command' | 'statusFile' | 'cwd' | 'environment'>
type Look = 'ok' | StartFault

/**
 * Is there a program of that name, where this launch would run it? Asked in a sandbox of its own where it has one: what is
 * there, and what is not, is known only inside. Null: nobody could look, and that says nothing of the name.
 */
export async function lookForProgram(launch: Asked, name: string): Promise<Look | null> {
  const statusFile = `${launch.statusFile}.look`
  const command = besides(launch, ['/bin/sh', '-c', LOOK, 'look', name], statusFile)
  try {
    return command && (ANSWERS.get(await codeOf(command, launch)) ?? null)
  } catch {
    return null // the machine has no process left for it
  } finally {
    if (launch.statusFile !== null) rmSync(statusFile, { force: true })
  }
}

/** Why a program of that name, which never began, did not: what is there all the same cannot be executed. */
export async function startFaultOf(launch: Asked, name: string): Promise<StartFault | null> {
  const look = await lookForProgram(launch, name)
  return look === 'ok' ? 'command_refused' : look
}

function codeOf([file = '', ...args]: readonly string[], { cwd, environment }: Asked): Promise<number | null> {
  const options = { cwd, env: onlyThese(environment), stdio: 'ignore', timeout: LOOK_MS, killSignal: 'SIGKILL' } as const
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, options)
    child.once('error', reject)
    child.once('exit', resolve)
  })
}
