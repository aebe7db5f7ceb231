import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { onlyThese } from '../../host/only-these'

/** A process that was started for an instance: has it ended, and its end. */
export type StartedHost = { isEnded(): boolean; kill(): void }

/**
 * One session-host that has loaded its code and waits to be told which instance it will hold, so that a start does not
 * wait for a program to load. It ends with the agent: what it waits on is a pipe from there.
 */
export class SpareHost {
  readonly #logFile: string
  #waiting: { command: string; child: ChildProcess; started: StartedHost } | null = null
  constructor(logFile: string) {
    this.#logFile = logFile
  }

  /** Starts one, unless one waits already. */
  prepare(command: readonly string[]): void {
    if (this.#waiting && !this.#waiting.started.isEnded()) return
    mkdirSync(dirname(this.#logFile), { recursive: true, mode: 0o700 })
    const { child, started } = detach(command, { logFile: this.#logFile, isFed: true })
    this.#waiting = { command: command.join('\0'), child, started }
  }

  /** Gives the one that waits its launch, and its log the instance's name. Null: there is none of that command. */
  take(command: readonly string[], to: { launchFile: string; logFile: string }): StartedHost | null {
    const waiting = this.#waiting
    if (!waiting || waiting.started.isEnded() || waiting.command !== command.join('\0') || existsSync(to.logFile)) return null
    this.#waiting = null
    renameSync(this.#logFile, to.logFile)
    waiting.child.stdin?.end(to.launchFile)
    return waiting.started
  }
}

/** A session of its own, output in a file, nothing inherited: neither the agent's channel nor its variables. */
export function detach(
  command: readonly string[],
  { logFile, isFed }: { logFile: string; isFed: boolean },
): { child: ChildProcess; started: StartedHost } {
  const [file = '', ...args] = command
  const log = openSync(logFile, 'a', 0o600)
  const child = spawn(file, args, {
    detached: true,
    stdio: [isFed ? 'pipe' : 'ignore', log, log],
    env: onlyThese({ PATH: process.env.PATH ?? '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' }),
    cwd: '/',
  })
  closeSync(log)
  let isEnded = false
  for (const event of ['error', 'exit']) child.once(event, () => (isEnded = true))
  // It may end before it is fed; its end says so.
  child.stdin?.on('error', () => undefined)
  child.unref()
  if (child.stdin && 'unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref()
  return { child, started: { isEnded: () => isEnded, kill: () => void child.kill('SIGKILL') } }
}
