import { LIMITS } from '@/domain/limits'
import type { ReasonCode } from '@/domain/reasons'
import type { Workload } from '@/domain/workloads'
import type { Log } from '@/kit/log'
import type { Db } from '@/server/store/db'
import { machineById, setMachineState } from '@/server/store/system/machines'

/** Failed starts that speak against the machine. Missing room, and what its user asked for, do not. */
const AGAINST: readonly ReasonCode[] = [
  'start_failed',
  'start_stalled',
  'retry_vanished',
  'driver_missing',
  'no_python',
  'disk_full',
]

type Ended = { workload: Workload; reason: { code: ReasonCode }; isUp: boolean }

/**
 * Remembers failed starts per machine: as many in a row as LIMITS say, each of another workload, make it suspect; the next
 * that comes up makes it active again. One workload counts once: what is wrong with it alone says nothing of its machine.
 * Losing this record (another controller takes over) makes a machine suspect later, never wrongly.
 */
export class StartRecord {
  readonly #log: Log
  readonly #failed = new Map<string, Set<string>>()

  constructor(log: Log) {
    this.#log = log
  }

  /** What came of a start; anything else is ignored. The same again changes nothing. */
  async tell(db: Db, { workload, reason, isUp }: Ended): Promise<void> {
    const machineId = workload.placement?.machineId
    if (workload.state !== 'provisioning' || machineId === undefined) return
    if (isUp) return this.#succeeded(db, machineId)
    if (!AGAINST.includes(reason.code)) return
    const failed = new Set(this.#failed.get(machineId)).add(workload.id)
    this.#failed.set(machineId, failed)
    if (failed.size < LIMITS.startFailuresToSuspect) return
    this.#failed.delete(machineId)
    await this.#move(db, { machineId, from: 'active', to: 'suspect' })
  }

  async #succeeded(db: Db, machineId: string): Promise<void> {
    this.#failed.delete(machineId)
    // Looked at first: most starts come up on a machine that nobody suspects, and a write is dear.
    if ((await machineById(db, machineId))?.state === 'suspect')
      await this.#move(db, { machineId, from: 'suspect', to: 'active' })
  }

  async #move(db: Db, move: Parameters<typeof setMachineState>[1]): Promise<void> {
    if (await setMachineState(db, move)) this.#log.warn('machine changes its state by its starts', move)
  }
}
