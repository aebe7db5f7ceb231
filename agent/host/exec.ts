import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { constants } from 'node:os'
import { LIMITS } from '@/domain/limits'
import type { HostLaunch } from './host-launch'
import { onlyThese } from './only-these'

/** What a second command tells: its output as it comes, and how it ended, after its last byte. */
export type ExecEvents = { output(bytes: Buffer): void; exit(code: number): void }
export type Exec = {
  write(bytes: Buffer): boolean
  onDrain(then: () => void): void
  endInput(): void
  pause(): void
  resume(): void
  /** Ends it and all that it started; its end is not told any more. */
  kill(): void
}

/**
 * Second commands beside a session's program: each as the program itself is started, in a sandbox of its own with the same
 * folders, network and limits, on pipes. At most so many at once.
 */
export class Execs {
  readonly #launch: Pick<HostLaunch, 'command' | 'environment' | 'cwd' | 'statusFile'>
  readonly #running = new Set<ChildProcess>()
  #count = 0

  constructor(launch: Pick<HostLaunch, 'command' | 'environment' | 'cwd' | 'statusFile'>) {
    this.#launch = launch
  }

  /** Starts one; null when there are too many, or no room. A command that cannot be started ends with 127, as in a shell. */
  start(command: readonly string[], events: ExecEvents): Exec | null {
    const statusFile = `${this.#launch.statusFile}.exec-${++this.#count}`
    const whole = besides(this.#launch, command, statusFile)
    if (!whole || this.#running.size >= LIMITS.execsPerSession) return null
    try {
      return this.#spawn(whole, statusFile, events)
    } catch {
      return null // the machine has no descriptor left for it: the session goes on
    }
  }

  #spawn([file = '', ...args]: readonly string[], statusFile: string, events: ExecEvents): Exec {
    const { cwd, environment } = this.#launch
    const child = spawn(file, args, { cwd, env: onlyThese(environment), detached: true, stdio: 'pipe' })
    this.#running.add(child)
    child.stdin.on('error', () => undefined) // it reads no more; its exit is what counts
    child.stdout.on('data', events.output)
    child.stderr.on('data', events.output)
    const ended = (code: number) => {
      if (this.#launch.statusFile !== null) rmSync(statusFile, { force: true })
      if (this.#running.delete(child)) events.exit(code)
    }
    child.once('error', () => ended(127))
    child.once('close', (code, signal) => ended(signal ? 128 + constants.signals[signal] : (code ?? 1)))
    return control(child, () => this.#kill(child))
  }

  /** Ends all of them at once. */
  close(): void {
    for (const child of [...this.#running]) this.#kill(child)
  }

  #kill(child: ChildProcess): void {
    if (!this.#running.delete(child) || child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It ended between the two lines.
    }
  }
}

function control(child: ReturnType<typeof spawn> & { stdin: NodeJS.WritableStream }, kill: () => void): Exec {
  return {
    write: (bytes) => child.stdin.write(bytes),
    onDrain: (then) => void child.stdin.once('drain', then),
    endInput: () => void child.stdin.end(),
    pause: () => {
      child.stdout?.pause()
      child.stderr?.pause()
    },
    resume: () => {
      child.stdout?.resume()
      child.stderr?.resume()
    },
    kill,
  }
}

/** Pure: the argument list of a command that is started as the session's program was: the wrappers stay, what they run is another. Null: there are none where they should be. */
export function besides(
  launch: Pick<HostLaunch, 'command' | 'statusFile'>,
  command: readonly string[],
  statusFile: string,
): string[] | null {
  if (launch.statusFile === null) return [...command]
  const sandbox = launch.command.indexOf('bwrap')
  const program = launch.command.indexOf('--', sandbox)
  if (sandbox < 0 || program < 0) return null
  const wrappers = launch.command.slice(0, program + 1)
  return [...wrappers.map((argument) => (argument === launch.statusFile ? statusFile : argument)), ...command]
}
