import type { Instance } from '@/domain/ids'
import type { Progress, Want } from '@/domain/workloads'
import type { ObservationCode } from '@/protocol/sync'
import type { Listed, Observation } from '../backend'
import { FakeRecords } from './fake-records'

/** What a fake machine does with the instances of one workload; milliseconds of its clock. */
export type FakeScript = {
  /** From accepted to running. */
  startMs: number
  /** From a park or a remove to nothing runs. */
  stopMs: number
  /** The start ends in this code instead of running. */
  startFault: ObservationCode | null
  /** Accepts a start and has nothing of it afterwards. */
  isForgetful: boolean
  /** Ignores park and remove; only `destroy` ends it. */
  isStubborn: boolean
}
const PLAIN: FakeScript = { startMs: 0, stopMs: 0, startFault: null, isForgetful: false, isStubborn: false }

type FakeInstance = Instance & {
  acked: Want
  status: 'starting' | 'running' | 'paused' | 'stopping' | 'stopped' | 'removed' | 'failed'
  code: ObservationCode
  exitCode: number | null
  /** When the step under way ends, and where it leads. */
  dueAt: number
  next: 'running' | 'failed' | 'stopped' | 'removed' | null
  isGone?: boolean
}

/** One machine in memory: instances, workspaces and a boot. Pure bookkeeping over a clock that the test moves. */
export class FakeMachine {
  readonly instances = new Map<string, FakeInstance>()
  readonly workspaces = new Set<string>()
  /** What may be read of its instances. */
  readonly records = new FakeRecords()
  readonly #scripts = new Map<string, FakeScript>()
  readonly #hidden = new Map<string, FakeInstance>()
  #boot = 1
  isUp = true
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  get bootId(): string {
    return `boot-${this.#boot}`
  }

  /** What happens to a workload's instances from now on. */
  script(workloadId: string, script: Partial<FakeScript>): void {
    this.#scripts.set(workloadId, { ...this.#scriptOf(workloadId), ...script })
  }

  /** A restart: whatever ran is stopped, workspaces are kept. */
  reboot(): void {
    this.#boot += 1
    for (const i of this.instances.values()) if (this.#isLive(i)) this.#become(i, 'stopped')
  }

  /** Takes an instance away as an administrator would; its workspace stays. */
  vanish(placementId: string): void {
    const found = this.instances.get(placementId)
    if (found) this.#hidden.set(placementId, found)
    this.instances.delete(placementId)
  }

  /** What had vanished is there after all, as it was. */
  reappear(placementId: string): void {
    const found = this.#hidden.get(placementId)
    if (found) this.instances.set(placementId, found)
  }

  /** The main process ended; the instance stays. */
  exit(placementId: string, exitCode: number): void {
    const found = this.instances.get(placementId)
    if (found) found.exitCode = exitCode
  }

  /** It broke while it ran; gone: nothing of it runs any more, proven. */
  crash(placementId: string, code: ObservationCode, isGone = false): void {
    const found = this.instances.get(placementId)
    if (found) Object.assign(found, { status: 'failed', code, next: null, isGone })
  }

  start(i: Instance): void {
    const held = this.instances.get(i.placementId)
    if (held) return
    const script = this.#scriptOf(i.workloadId)
    const isResume = i.workloadGen > 1
    const canResume = !isResume || this.workspaces.has(i.workloadId)
    const fault = canResume ? script.startFault : 'workspace_missing'
    if (canResume) this.workspaces.add(i.workloadId)
    const made: FakeInstance = {
      workloadId: i.workloadId,
      placementId: i.placementId,
      workloadGen: i.workloadGen,
      acked: 'run',
      status: 'starting',
      code: 'ok',
      exitCode: null,
      dueAt: this.#now() + script.startMs,
      next: fault ? 'failed' : 'running',
    }
    this.instances.set(i.placementId, made)
    if (script.isForgetful) this.#become(made, 'removed')
  }

  freeze(i: Instance, want: 'pause' | 'run'): void {
    const found = this.#current(i)
    if (!found) return
    found.acked = want
    if (want === 'pause' && found.status === 'running') found.status = 'paused'
    if (want === 'run' && found.status === 'paused') found.status = 'running'
  }

  stop(i: Instance, want: 'park' | 'remove' | 'destroy'): void {
    const script = this.#scriptOf(i.workloadId)
    const found = this.#current(i) ?? this.#tombstone(i)
    found.acked = want
    if (found.status === 'removed' && want !== 'remove') return
    const isLive = this.#isLive(found)
    if (isLive && want !== 'destroy' && script.isStubborn) return
    const end = want === 'remove' ? 'removed' : 'stopped'
    if (!isLive || want === 'destroy') this.#become(found, end)
    else if (found.status !== 'stopping' || found.next !== end)
      Object.assign(found, { status: 'stopping', next: end, dueAt: this.#now() + script.stopMs })
  }

  observe(i: Instance): Observation {
    const found = this.#current(i)
    if (!found) return { ...i, ...NOTHING, bootId: this.bootId, hasWorkspace: this.workspaces.has(i.workloadId) }
    return {
      ...i,
      status: found.status === 'removed' && found.acked !== 'remove' ? 'absent' : found.status,
      code: found.code,
      subject: null,
      progress: found.status === 'starting' ? STARTING : null,
      exitCode: found.exitCode,
      hasWorkspace: this.workspaces.has(i.workloadId),
      bootId: this.bootId,
      isGone: found.isGone === true,
      acked: found.acked,
    }
  }

  /** Everything that may run, after the steps that are due by now. */
  listed(): Listed[] {
    return [...this.instances.values()]
      .filter((i) => !['removed', 'stopped'].includes(this.#current(i)?.status ?? 'removed'))
      .map(({ workloadId, placementId, workloadGen, status }) => ({ workloadId, placementId, workloadGen, status }))
  }

  #current(i: Instance): FakeInstance | undefined {
    const found = this.instances.get(i.placementId)
    if (found?.next && found.dueAt <= this.#now()) this.#become(found, found.next)
    return found
  }

  #become(i: FakeInstance, status: FakeInstance['status']): void {
    if (status === 'failed') i.code = this.workspaces.has(i.workloadId) ? (this.#fault(i) ?? 'start_failed') : 'workspace_missing'
    if (status === 'removed' && i.acked === 'remove') this.#erase(i.workloadId)
    Object.assign(i, { status, next: null })
  }

  #erase(workloadId: string): void {
    this.workspaces.delete(workloadId)
    this.records.erase(workloadId)
  }

  /** A stop of what is not here is remembered, so that its answer is known. */
  #tombstone(i: Instance): FakeInstance {
    const made: FakeInstance = { ...i, acked: 'remove', status: 'removed', code: 'ok', exitCode: null, dueAt: 0, next: null }
    this.instances.set(i.placementId, made)
    return made
  }

  #isLive(i: FakeInstance): boolean {
    return ['starting', 'running', 'paused', 'stopping', 'failed'].includes(i.status)
  }

  #fault(i: FakeInstance): ObservationCode | null {
    return this.#scriptOf(i.workloadId).startFault
  }

  #scriptOf(workloadId: string): FakeScript {
    return this.#scripts.get(workloadId) ?? PLAIN
  }
}

const STARTING: Progress = { stage: 'starting', detail: null, done: null, total: null, unit: null }
const NOTHING = { status: 'absent', code: 'ok', subject: null, progress: null, exitCode: null, acked: null } as const
