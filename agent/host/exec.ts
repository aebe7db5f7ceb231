import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { constants } from 'node:os'
import { LIMITS } from '@/domain/limits'
import type { StartFault } from '@/protocol/terminal'
import { besides } from './besides'
import type { HostLaunch } from './host-launch'
import { onlyThese } from './only-these'
import { sandboxInit } from './sandbox-status'
import { FAULT_CODES, startFaultOf } from './start-fault'

/** What a second command tells: its output as it comes, and how it ended, after its last byte. With a fault it never began. */
export type ExecEvents = { output(bytes: Buffer): void; exit(code: number, fault: StartFault | null): void }
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

  /** Starts one; null when there are too many, or no room. A command that cannot be run ends with 127 or 126, as in a shell. */
  start(command: readonly string[], events: ExecEvents): Exec | null {
    const statusFile = `${this.#launch.statusFile}.exec-${++this.#count}`
    const whole = besides(this.#launch, command, statusFile)
    if (!whole || this.#running.size >= LIMITS.execsPerSession) return null
    try {
      return this.#spawn(whole, { command, statusFile, events })
    } catch {
      return null // the machine has no descriptor left for it: the session goes on
    }
  }

  #spawn([file = '', ...args]: readonly string[], asked: Asked): Exec {
    const { cwd, environment } = this.#launch
    const child = spawn(file, args, { cwd, env: onlyThese(environment), detached: true, stdio: 'pipe' })
    this.#running.add(child)
    child.stdin.on('error', () => undefined) // it reads no more; its exit is what counts
    const output = new Held(asked.events.output)
    child.stdout.on('data', (bytes) => output.push(bytes))
    child.stderr.on('data', (bytes) => output.push(bytes))
    void this.#follow(child, asked, output)
    return control(child, () => this.#kill(child))
  }

  /** What is printed before a program began is its wrappers', and is told only where nothing better can be said. */
  async #follow(child: ChildProcess, { command, statusFile, events }: Asked, output: Held): Promise<void> {
    const ended = endOf(child)
    const hasBegun = this.#launch.statusFile === null ? child.pid !== undefined : await begins(statusFile, ended)
    if (hasBegun) output.open()
    const code = await ended
    const isFault = !hasBegun && code < SIGNALLED && this.#running.has(child)
    const fault = isFault ? await startFaultOf(this.#launch, command[0] ?? '') : null
    if (fault === null) output.open()
    if (this.#launch.statusFile !== null) rmSync(statusFile, { force: true })
    if (this.#running.delete(child)) events.exit(fault === null ? code : FAULT_CODES[fault], fault)
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

type Asked = { command: readonly string[]; statusFile: string; events: ExecEvents }

/** What ended by a signal has no code of its own. */
const SIGNALLED = 128
const NOT_SPAWNED = 127

/** The code of a process after its last byte. */
function endOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(NOT_SPAWNED))
    child.once('close', (code, signal) => resolve(signal ? SIGNALLED + constants.signals[signal] : (code ?? 1)))
  })
}

/** Does the program in a sandbox begin? One that is slow to, does. */
async function begins(statusFile: string, ended: Promise<number>): Promise<boolean> {
  let isEnded = false
  void ended.then(() => {
    isEnded = true
  })
  const first = await sandboxInit(statusFile, ended).catch(() => null) // not to be read now: as if it were slow
  return first !== null || !isEnded
}

/** Output in its order, which waits until it is said that it may go on. */
class Held {
  readonly #to: (bytes: Buffer) => void
  #waiting: Buffer[] | null = []

  constructor(to: (bytes: Buffer) => void) {
    this.#to = to
  }

  push(bytes: Buffer): void {
    if (this.#waiting === null) this.#to(bytes)
    else this.#waiting.push(bytes)
  }

  open(): void {
    for (const bytes of this.#waiting ?? []) this.#to(bytes)
    this.#waiting = null
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
