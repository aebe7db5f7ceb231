// Starts the real Berth, as `npm start` does, in a data directory and on ports of its own; ends everything it started.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePortPair } from '../../testing/free-ports'

const root = path.resolve(import.meta.dirname, '../..')

export type Part = 'web' | 'controller' | 'agent' | 'egress' | 'session-host'

export class Berth {
  readonly home: string
  readonly port: number
  /** Everything that the current process printed. */
  output = ''
  #child: ChildProcess | undefined

  readonly #command: readonly string[]

  private constructor(home: string, port: number, command: readonly string[]) {
    this.home = home
    this.port = port
    this.#command = command
  }

  /** `home`: a data directory that is there already; `command`: what starts it in place of this user's Node. */
  static async create(home?: string, command: readonly string[] = [process.execPath, 'scripts/start.mjs']): Promise<Berth> {
    return new Berth(home ?? mkdtempSync(path.join(tmpdir(), 'berth-e2e-')), await freePortPair(), command)
  }

  get origin(): string {
    return `http://berth.localhost:${this.port}`
  }

  /** Starts it and resolves with the link that it printed. Rejects with its output when it ends or prints none in time. */
  async start(timeoutMs = 120_000): Promise<string> {
    this.output = ''
    const [file = '', ...args] = this.#command
    const child = spawn(file, args, {
      cwd: root,
      env: { ...process.env, BERTH_HOME: this.home, BERTH_PORT: String(this.port), BERTH_LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    return new Promise((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`${why}\n${this.output.slice(-4000)}`))
      const timer = setTimeout(() => fail(`no link within ${timeoutMs} ms`), timeoutMs)
      const read = (chunk: Buffer) => {
        this.output += chunk.toString()
        const link = /^.*(http:\/\/(?:berth\.)?localhost:\d+\/?\S*)\s*$/m.exec(this.output)?.[1]
        if (!link || !this.output.includes('Berth is ready')) return
        clearTimeout(timer)
        resolve(link)
      }
      child.stdout?.on('data', read)
      child.stderr?.on('data', read)
      child.once('exit', (code) => {
        clearTimeout(timer)
        fail(`ended with ${code}`)
      })
    })
  }

  /** Process ids of web and of its controller. */
  pids(): { web: number; controller: number } {
    const web = this.#child?.pid ?? 0
    const controller = children(web).find((pid) => commandOf(pid).includes('controller.mjs')) ?? 0
    return { web, controller }
  }

  /** Process id of one part of what runs; 0 when it is not there. */
  pidOf(part: Part): number {
    const { web, controller } = this.pids()
    if (part === 'web') return web
    if (part === 'controller') return controller
    if (part === 'agent') return children(controller).find((pid) => commandOf(pid).includes('agent.mjs')) ?? 0
    if (part === 'session-host') return this.hosts().find((host) => host.childPid !== null)?.hostPid ?? 0
    return detachedPids(this.home).find((pid) => commandOf(pid).includes('egress.mjs')) ?? 0
  }

  /** SIGKILL to one part. A web process takes its controller with it; a new `start` is needed then. */
  async kill(part: Part): Promise<void> {
    const pid = this.pidOf(part)
    if (pid === 0) throw new Error(`no ${part} runs`)
    const gone = part === 'web' ? this.#exited() : null
    process.kill(pid, 'SIGKILL')
    await gone
  }

  /** SIGKILL to controller and web: nothing gets a chance to say goodbye. */
  async killHard(): Promise<void> {
    const { web, controller } = this.pids()
    const gone = this.#exited()
    for (const pid of [controller, web]) process.kill(pid, 'SIGKILL')
    await gone
  }

  /** SIGTERM, as Ctrl-C does. Resolves with the exit code. */
  async stop(): Promise<number | null> {
    if (!this.#child || this.#child.exitCode !== null || this.#child.signalCode !== null) return null
    const gone = this.#exited()
    this.#child.kill('SIGTERM')
    return gone
  }

  /** Ends Berth and every detached process that it left in its data directory, then removes the directory. */
  async destroy(options: { isMount?: boolean } = {}): Promise<void> {
    await this.stop()
    for (const pid of detachedPids(this.home)) endProcess(pid)
    if (options.isMount) spawnSync('umount', ['-l', this.home])
    // What was just killed may still write.
    rmSync(this.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }

  /** The session-host file of each instance on this machine. */
  hosts(): { workloadId: string; hostPid: number; childPid: number | null }[] {
    const folder = path.join(this.home, 'instances')
    if (!existsSync(folder)) return []
    return readdirSync(folder)
      .map((name) => readNow(path.join(folder, name, 'host.json')))
      .filter((text) => text !== '')
      .map((text) => JSON.parse(text))
  }

  #exited(): Promise<number | null> {
    return new Promise((resolve) => this.#child?.once('exit', (code) => resolve(code)))
  }
}

/** Detached processes carry the data directory in their command line or environment; they are ours by that. */
function detachedPids(home: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter(
      (pid) => pid !== process.pid && (commandOf(pid).includes(home) || readProc(pid, 'environ').includes(`BERTH_HOME=${home}`)),
    )
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function children(pid: number): number[] {
  return readProc(pid, `task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number)
}

function commandOf(pid: number): string {
  return readProc(pid, 'cmdline').replaceAll('\0', ' ')
}

/** Empty when the process is gone or not ours to read. */
function readProc(pid: number, name: string): string {
  return readNow(`/proc/${pid}/${name}`)
}

function readNow(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return '' // gone between listing and reading, or not there yet
  }
}
