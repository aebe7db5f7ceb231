import { createConnection } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import { AppError } from '@/domain/errors'
import type { Instance } from '@/domain/ids'
import type { Want } from '@/domain/workloads'
import type { NotebooksAsk } from '@/protocol/notebooks'
import { type Door, doorSocket } from '@/protocol/paths'
import type { ReadAsk, ReadInfo, SearchAnswer, SearchAsk } from '@/protocol/read'
import type { ObservedInstance } from '@/protocol/sync'
import type { Db } from '@/server/store/db'
import { type Asked, askedOf, connectedMachineIds } from '@/server/store/system/observing'
import { setWant } from '@/server/store/system/placements'
import type { LaunchMaterial, Listed, Observation, PlacedWorkload, WorkloadBackend } from '../backend'
import type { MachineLink, MachineObservations } from './machine-link'
import { notebooksIn, readFrom, searchIn } from './reads'

export type AgentsDeps = {
  db: Db
  link: MachineLink
  /** Folder of the door sockets of this host: machines of region `local` are reached there directly. */
  runtimeDir: string
  /** Epoch of the lease under which wishes are written; an older holder writes nothing. */
  epoch: () => number
}

/** Workloads on machines with a node agent: a verb writes the desired row, then has the machine synchronised. */
export class AgentsBackend implements WorkloadBackend {
  readonly #deps: AgentsDeps
  constructor(deps: AgentsDeps) {
    this.#deps = deps
  }

  async start(w: PlacedWorkload, _launch: LaunchMaterial, signal: AbortSignal): Promise<void> {
    await this.#ask({ workloadId: w.id, placementId: w.placement.id, workloadGen: w.placement.workloadGen }, 'run', signal)
  }

  async pause(i: Instance, signal: AbortSignal): Promise<void> {
    await this.#ask(i, 'pause', signal)
  }

  async resume(i: Instance, signal: AbortSignal): Promise<void> {
    await this.#ask(i, 'run', signal)
  }

  async park(i: Instance, signal: AbortSignal): Promise<void> {
    await this.#ask(i, 'park', signal)
  }

  async remove(i: Instance, signal: AbortSignal): Promise<void> {
    await this.#ask(i, 'remove', signal)
  }

  async destroy(i: Instance, signal: AbortSignal): Promise<void> {
    await this.#ask(i, 'destroy', signal)
  }

  async observe(instances: readonly Instance[], signal: AbortSignal): Promise<Observation[]> {
    signal.throwIfAborted()
    const ids = instances.map((i) => i.placementId)
    const asked = await askedOf(this.#deps.db, ids)
    const answers = new Map<string, Answer | null>()
    return instances.map((i) => {
      const row = asked.get(i.placementId)
      if (!row?.machine) return { ...i, ...UNKNOWN }
      const machineId = row.machine.id
      const answer = answers.get(machineId) ?? this.#answerOf(machineId)
      answers.set(machineId, answer)
      return observationOf(i, row, answer)
    })
  }

  async listed(signal: AbortSignal): Promise<Listed[]> {
    signal.throwIfAborted()
    const machineIds = await connectedMachineIds(this.#deps.db)
    return machineIds
      .flatMap((id) => this.#answerOf(id)?.all ?? [])
      .filter((o) => o.status !== 'removed' && o.status !== 'stopped')
      .map(({ workloadId, placementId, workloadGen, status }) => ({ workloadId, placementId, workloadGen, status }))
  }

  async connect(i: Instance, door: Door, signal: AbortSignal): Promise<Duplex> {
    signal.throwIfAborted()
    const asked = (await askedOf(this.#deps.db, [i.placementId])).get(i.placementId)
    if (!asked?.machine || asked.isReleased) throw new AppError('not_found', { what: 'instance' })
    if (asked.machine.region === 'local') return openSocket(doorSocket(this.#deps.runtimeDir, i.placementId, door), signal)
    return this.#deps.link.connect(asked.machine.id, i.placementId, door, signal)
  }

  async read(machineId: string, ask: ReadAsk, signal: AbortSignal): Promise<{ info: ReadInfo; stream: Readable }> {
    signal.throwIfAborted()
    return readFrom(this.#deps.link, { machineId, ask }, signal)
  }

  async search(machineId: string, ask: SearchAsk, signal: AbortSignal): Promise<SearchAnswer> {
    signal.throwIfAborted()
    return searchIn(this.#deps.link, { machineId, ask }, signal)
  }

  async notebooks(machineId: string, ask: NotebooksAsk, signal: AbortSignal): Promise<Readable> {
    signal.throwIfAborted()
    return notebooksIn(this.#deps.link, { machineId, ask }, signal)
  }

  async #ask(i: Instance, want: Want, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const { db, link, epoch } = this.#deps
    const row = (await askedOf(db, [i.placementId])).get(i.placementId)
    if (!row?.machine) throw new AppError('not_found', { what: 'instance' })
    if (row.isReleased && !isEnd(want)) throw new AppError('conflict', { why: 'a newer start replaced this one' })
    const isEndingAnyway = STRENGTH[row.want] > STRENGTH[want]
    const isSet = isEndingAnyway || (await setWant(db, { placementId: i.placementId, want, epoch: epoch() }))
    if (!isSet) throw new AppError('conflict', { why: 'something else is asked of this instance now' })
    if (!link.isConnected(row.machine.id)) throw new AppError('unreachable', { machine: row.machine.name })
    await link.sync(row.machine.id, signal)
  }

  #answerOf(machineId: string): Answer | null {
    const { link } = this.#deps
    const seen = link.isConnected(machineId) ? link.observations(machineId) : null
    return seen && index(seen)
  }
}

/** An end is never taken back: what is asked to be removed is not parked any more. */
const STRENGTH: Record<Want, number> = { run: 0, pause: 0, park: 1, destroy: 2, remove: 3 }

function isEnd(want: Want): boolean {
  return STRENGTH[want] > 0
}

type Answer = { at: Date; bootId: string; all: readonly ObservedInstance[]; byId: Map<string, ObservedInstance> }

function index({ answer, at }: MachineObservations): Answer {
  const byId = new Map(answer.instances.map((o) => [o.placementId, o]))
  return { at, bootId: answer.bootId, all: answer.instances, byId }
}

const UNKNOWN = {
  status: 'unknown',
  code: 'ok',
  subject: null,
  progress: null,
  exitCode: null,
  hasWorkspace: false,
  bootId: null,
  acked: null,
} as const

/** A connection whose last answer is that old is over: an acknowledgement that much later was written before the clock was set back. */
const ANSWER_AGE_MS = 60_000

/** An answer from before the acknowledgement cannot prove that something is absent. */
function isOlderThanAck({ at }: Answer, { ackedAt }: Asked): boolean {
  const aheadMs = ackedAt === null ? 0 : ackedAt.getTime() - at.getTime()
  return aheadMs > 0 && aheadMs < ANSWER_AGE_MS
}

function observationOf(i: Instance, asked: Asked, answer: Answer | null): Observation {
  if (!answer || isOlderThanAck(answer, asked)) return { ...i, ...UNKNOWN }
  const acked = asked.ackedWant === asked.want ? asked.want : null
  const seen = answer.byId.get(i.placementId)
  if (!seen || seen.workloadGen !== i.workloadGen) return { ...i, ...UNKNOWN, status: 'absent', bootId: answer.bootId, acked }
  const { status, code, subject, progress, exitCode, hasWorkspace, isGone = false, folderRefused } = seen
  const failure = { code, subject, folderRefused, isGone }
  return { ...i, status, ...failure, progress, exitCode, hasWorkspace, bootId: answer.bootId, acked }
}

/** Connects to a door's socket on this host. Its absence is `not_found`, whatever the system calls it. The signal ends with the connecting. */
function openSocket(path: string, signal: AbortSignal): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ path, allowHalfOpen: true })
    const giveUp = () => socket.destroy(signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    const fail = (cause: Error) => reject(signal.aborted ? signal.reason : new AppError('not_found', { what: 'door' }, { cause }))
    socket.once('error', fail)
    socket.once('connect', () => {
      signal.removeEventListener('abort', giveUp)
      socket.off('error', fail)
      resolve(socket)
    })
  })
}
