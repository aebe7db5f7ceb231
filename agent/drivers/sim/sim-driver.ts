import { existsSync } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Duplex, PassThrough } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { Instance } from '@/domain/ids'
import type { DesiredInstance } from '@/protocol/sync'
import { readJsonFile, writeJsonFile } from '../../json-file'
import type { DriverDeps } from '../deps'
import type { Driver, LocalInstance } from '../driver'
import { nextChangeAt, observeSim, type SimInstance, simInstance } from './sim-instance'
import { readSimScript } from './sim-script'

/**
 * A driver that runs nothing: instances are files, doors are echoes, delays and faults come from `<data>/sim.json`.
 * For development and tests. It keeps every promise of the port, also across a restart of the agent.
 */
export function createSimDriver(deps: SimDeps): Driver {
  return new SimDriver(deps)
}

type SimDeps = Pick<DriverDeps, 'dataDir' | 'bootId' | 'clock'>

class SimDriver implements Driver {
  readonly rows = ['sim'] as const
  readonly #deps: SimDeps
  readonly #listeners = new Set<() => void>()
  constructor(deps: SimDeps) {
    this.#deps = deps
  }

  async start(spec: DesiredInstance, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (await this.#find(spec)) return
    const { workloadId, placementId, workloadGen } = spec
    const script = await readSimScript(this.#deps.dataDir, spec.runtime)
    const isRefused = spec.needsWorkspace && !this.#hasWorkspace(workloadId)
    if (!isRefused) await mkdir(this.#workspace(workloadId), { recursive: true, mode: 0o700 })
    const instance = { workloadId, placementId, workloadGen }
    const { bootId } = this.#deps
    await this.#save({ instance, script, bootId, startedAt: this.#now(), phase: isRefused ? 'refused' : 'up' })
  }

  async pause(i: Instance): Promise<void> {
    await this.#move(i, 'up', 'paused')
  }

  async resume(i: Instance): Promise<void> {
    await this.#move(i, 'paused', 'up')
  }

  async stop(i: Instance, how: 'park' | 'remove' | 'destroy', signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const sim = await this.#find(i)
    if (sim && isUp(sim)) {
      if (sim.phase !== 'stopping') await this.#save({ ...sim, phase: 'stopping' })
      await wait(sim.script.stopMs, undefined, { signal })
    }
    if (how === 'remove') await rm(this.#workspace(i.workloadId), { recursive: true, force: true })
    const rest = await this.#find(i)
    if (rest) await this.#save({ ...rest, phase: how === 'remove' ? 'removed' : 'stopped' })
  }

  async forget(i: Instance): Promise<void> {
    await rm(this.#file(i.placementId), { force: true })
  }

  async observe(signal: AbortSignal): Promise<LocalInstance[]> {
    const seen: LocalInstance[] = []
    for (const placementId of await this.#list()) {
      signal.throwIfAborted()
      const sim = await this.#find({ placementId })
      if (sim) seen.push(observeSim(sim, this.#now(), this.#hasWorkspace(sim.instance.workloadId)))
    }
    return seen
  }

  async connect(i: Instance): Promise<Duplex> {
    const sim = await this.#find(i)
    if (!sim || observeSim(sim, this.#now(), true).status !== 'running') throw new Error('no such instance runs here')
    return new PassThrough()
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async #move(i: Instance, from: SimInstance['phase'], to: SimInstance['phase']): Promise<void> {
    const sim = await this.#find(i)
    if (sim?.phase === to) return
    if (sim?.phase !== from) throw new Error(`only an instance that is ${from} can become ${to}`)
    await this.#save({ ...sim, phase: to })
  }

  /** What was up in another boot of the machine is gone. */
  async #find({ placementId }: Pick<Instance, 'placementId'>): Promise<SimInstance | null> {
    const sim = await readJsonFile(this.#file(placementId), simInstance)
    return sim && sim.bootId !== this.#deps.bootId && isUp(sim) ? null : sim
  }

  async #list(): Promise<string[]> {
    const folder = join(this.#deps.dataDir, 'sim')
    if (!existsSync(folder)) return []
    return (await readdir(folder)).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length))
  }

  async #save(sim: SimInstance): Promise<void> {
    await writeJsonFile(this.#file(sim.instance.placementId), sim)
    this.#changed()
    this.#callAgain(sim)
  }

  /** Tells of changes that come by time alone: a delayed start, an exit. */
  #callAgain(sim: SimInstance): void {
    const at = nextChangeAt(sim, this.#now())
    if (at === null) return
    const timer = setTimeout(() => {
      this.#changed()
      this.#callAgain(sim)
    }, at - this.#now())
    timer.unref()
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener()
  }

  #now(): number {
    return this.#deps.clock.now().getTime()
  }

  #file(placementId: string): string {
    return join(this.#deps.dataDir, 'sim', `${placementId}.json`)
  }

  #workspace(workloadId: string): string {
    return join(this.#deps.dataDir, 'workspaces', workloadId)
  }

  #hasWorkspace(workloadId: string): boolean {
    return existsSync(this.#workspace(workloadId))
  }
}

/** Would a reboot of the machine have ended it? */
function isUp(sim: SimInstance): boolean {
  return ['up', 'paused', 'stopping'].includes(sim.phase)
}
