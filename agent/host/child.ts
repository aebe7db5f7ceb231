import { spawn } from 'node:child_process'
import { chownSync } from 'node:fs'
import { constants } from 'node:os'
import { spawn as spawnPty } from '@lydell/node-pty'
import type { HostLaunch } from './host-launch'
import { onlyThese } from './only-these'
import { readTerminal } from './read-terminal'

/** The program of a session-host, on a pseudo-terminal or on pipes. Exit codes are as a shell tells them: 128 + signal. */
export type Child = {
  pid: number
  write(bytes: Buffer): void
  resize(cols: number, rows: number): void
  pause(): void
  resume(): void
}
/** The bytes of `data` are the receiver's only until it returns. */
export type ChildEvents = { data(bytes: Buffer): void; exit(code: number): void }

/** What of a launch is the program's. */
type Start = Pick<HostLaunch, 'kind' | 'command' | 'environment' | 'cwd' | 'cols' | 'rows' | 'ptyOwner'>

/** Starts the program of a launch. Throws when it cannot be started at all. */
export function startChild(launch: Start, events: ChildEvents): Child {
  return launch.kind === 'terminal' ? onTerminal(launch, events) : onPipes(launch, events)
}

function onTerminal(launch: Start, events: ChildEvents): Child {
  const [file = '', ...args] = launch.command
  const pty = spawnPty(file, args, {
    cols: launch.cols,
    rows: launch.rows,
    cwd: launch.cwd,
    env: launch.environment,
    name: 'xterm-256color',
    encoding: null,
  })
  giveAway(pty, launch.ptyOwner)
  // With encoding null the bytes arrive as a Buffer, whatever the package's types say.
  if (!readTerminal(pty, events.data)) pty.onData((data) => events.data(data as unknown as Buffer))
  pty.onExit(({ exitCode, signal }) => events.exit(signal ? 128 + signal : exitCode))
  return {
    pid: pty.pid,
    write: (bytes) => pty.write(bytes as unknown as string),
    resize: (cols, rows) => resized(() => pty.resize(cols, rows)),
    pause: () => pty.pause(),
    resume: () => pty.resume(),
  }
}

/** A program may have closed its terminal, and one that ends closes it before its end is heard of: it has no size then. */
function resized(resize: () => void): void {
  try {
    resize()
  } catch {
    // As the doc line says; whoever looks at what was printed may choose any size.
  }
}

/** The terminal belongs to the sandbox's user, so that programs may open it by name. */
function giveAway(pty: object, owner: HostLaunch['ptyOwner']): void {
  if (owner && 'ptsName' in pty && typeof pty.ptsName === 'string') chownSync(pty.ptsName, owner.uid, owner.gid)
}

function onPipes(launch: Start, events: ChildEvents): Child {
  const [file = '', ...args] = launch.command
  const child = spawn(file, args, {
    cwd: launch.cwd,
    env: onlyThese(launch.environment),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid === undefined) throw new Error('the program could not be started')
  child.stdout.on('data', events.data)
  child.stderr.on('data', events.data)
  child.once('exit', (code, signal) => events.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)))
  return {
    pid: child.pid,
    write: () => undefined,
    resize: () => undefined,
    pause: () => undefined,
    resume: () => undefined,
  }
}
