import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import type { Instance } from '@/domain/ids'
import { systemClock } from '@/kit/clock'
import { createLog } from '@/kit/log'
import { doorSocket } from '@/protocol/paths'
import type { DesiredInstance, ObservedInstance } from '@/protocol/sync'
import { copyPrograms } from '@/testing/programs'
import { readBootId } from '../boot-id'
import type { DriverDeps } from '../drivers/deps'
import type { Driver } from '../drivers/driver'
import { egressSockets } from '../egress/control-messages'
import { sampleSpec } from './sample-spec'
import type { Asked } from './start-one'
import { TerminalClient } from './terminal-client'

/** What a shell sends around each line that it reads. */
const BRACKETED_PASTE = new RegExp(`${String.fromCharCode(27)}\\[\\?2004[hl]\\r?`, 'g')
const never = new AbortController().signal

/** A machine for tests: folders of its own, the detached programs built from this source, and nothing left behind. */
export class ProcessMachine {
  readonly deps: DriverDeps
  readonly root: string
  /** Longest wait for an observation. */
  patienceMs = 60_000

  private constructor(root: string, codeDir: string) {
    this.root = root
    this.deps = {
      dataDir: join(root, 'd'),
      runtimeDir: join(root, 'r'),
      codeDir,
      bootId: readBootId(),
      log: createLog('agent', { level: 'error' }),
      clock: systemClock,
    }
  }

  static async make(): Promise<ProcessMachine> {
    const root = mkdtempSync(join(tmpdir(), 'bm-'))
    const codeDir = join(root, 'c')
    copyPrograms(codeDir)
    return new ProcessMachine(root, codeDir)
  }

  /** An agent's driver in a process of its own, as root or as another user, that starts one instance. Resolves when it runs. */
  async agentProcess(spec: DesiredInstance, uid?: number): Promise<ChildProcess> {
    const child = this.spawnAgent(spec, uid)
    await new Promise<void>((resolve, reject) => {
      child.stdout?.once('data', () => resolve())
      child.once('exit', (code) => reject(new Error(`the agent's process ended with ${code}`)))
    })
    return child
  }

  spawnAgent(spec: DesiredInstance, uid?: number): ChildProcess {
    if (uid !== undefined) for (const path of [this.root, this.deps.dataDir, this.deps.runtimeDir]) give(path, uid)
    const { log: _log, clock: _clock, ...deps } = this.deps
    const lowered = uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups']
    const asked = JSON.stringify({ deps, spec } satisfies Asked)
    const [file = '', ...args] = [...lowered, process.execPath, join(deps.codeDir, 'start-one.mjs'), asked]
    return spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  }

  spec(over: Partial<DesiredInstance> = {}): DesiredInstance {
    return sampleSpec({ driver: 'process-sandboxed', ...over })
  }

  async hasWorkspace(workloadId: string): Promise<boolean> {
    return existsSync(join(this.deps.dataDir, 'workspaces', workloadId))
  }

  /** A running terminal with its first stream attached and bound. */
  async terminal(
    driver: Driver,
    over: Partial<DesiredInstance> = {},
  ): Promise<{ spec: DesiredInstance; client: TerminalClient }> {
    const spec = this.spec(over)
    await driver.start(spec, never)
    await this.until(driver, spec, (o) => o.status === 'running')
    const client = this.attach(spec)
    await client.attach(0).until({ message: 'attached' })
    client.send({ type: 'bind', controllerGen: 1 })
    await client.until({ message: 'bound' })
    return { spec, client }
  }

  attach(spec: Instance): TerminalClient {
    return new TerminalClient(doorSocket(this.deps.runtimeDir, spec.placementId, 'terminal'))
  }

  /** Runs one line in the terminal and returns what it printed. */
  async sh(client: TerminalClient, line: string, timeoutMs = 60_000): Promise<string> {
    const mark = uuidv7()
    const before = client.output.byteLength
    // The mark is written in two parts, so that the echo of the line does not hold it.
    client.type(1, `{ ${line}\n} 2>&1; printf '%s%s' '${mark.slice(0, 18)}' '${mark.slice(18)}'"=$?="\n`)
    await client.until({ text: `${mark}=` }, timeoutMs)
    const text = client.output.subarray(before).toString()
    const start = text.indexOf('\n', text.lastIndexOf('"=$?="')) + 1
    return text.slice(start, text.indexOf(mark)).replaceAll('\r\n', '\n').replaceAll(BRACKETED_PASTE, '').trim()
  }

  async until(driver: Driver, i: Instance, wanted: (o: ObservedInstance) => boolean): Promise<ObservedInstance> {
    const end = Date.now() + this.patienceMs
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        const stop = driver.onChange(resolve)
        setTimeout(() => {
          stop()
          resolve()
        }, 100)
      })
      const seen = (await driver.observe(never)).find((o) => o.placementId === i.placementId)
      if (seen && wanted(seen)) return seen
      if (Date.now() > end) throw new Error(`saw ${JSON.stringify(seen)}\n${this.hostLog(i)}`)
      await changed
    }
  }

  hostLog(i: Instance): string {
    const path = join(this.deps.dataDir, 'instances', i.placementId, 'log', 'host.log')
    return existsSync(path) ? readFileSync(path, 'utf8').slice(-2000) : 'no host log'
  }

  async remove(driver: Driver, i: Instance): Promise<void> {
    await driver.stop(i, 'remove', never)
  }

  /** Ends what this machine started, by its own files, and removes its folders. */
  async clean(driver: Driver): Promise<void> {
    for (const o of await driver.observe(never)) await driver.stop(o, 'remove', never)
    await this.endEgress()
    await rm(this.root, { recursive: true, force: true })
  }

  /** Ends this machine's egress process, which must serve nobody. */
  async endEgress(): Promise<void> {
    const { control } = egressSockets(this.deps.runtimeDir, join(this.deps.dataDir, 'egress'))
    if (existsSync(control)) await endEgress(control)
  }

  async files(folder: string): Promise<string[]> {
    const path = join(this.deps.dataDir, folder)
    return existsSync(path) ? readdir(path) : []
  }
}

function give(path: string, uid: number): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  chownSync(path, uid, uid)
}

/** Asks the egress process to end; it does when it serves nobody, which is what a test must leave. */
async function endEgress(control: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const socket = connect(control)
    const late = setTimeout(() => reject(new Error('the egress process still serves somebody')), 60_000)
    const end = () => {
      clearTimeout(late)
      resolve()
    }
    socket.on('error', end)
    socket.on('close', end)
    socket.on('data', () => undefined)
    socket.write('{"verb":"end","seq":1}\n')
  })
}
