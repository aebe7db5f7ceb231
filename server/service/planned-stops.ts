import { isDeepStrictEqual } from 'node:util'
import type { Reason } from '@/domain/reasons'
import type { Stop, Workload } from '@/domain/workloads'
import { type Db, inTx, type Tx } from '@/server/store/db'
import { setPlannedStop } from '@/server/store/settings'
import { lockWorkload } from '@/server/store/workloads'
import { note, transition } from './transition'

/** A decision over a workload as it was when it was decided. */
type Decided = { workload: Workload; reason: Reason; at: Date }

/** Keeps when a run is going to be parked by itself, or that it is not; `isTold` puts that into its timeline. Overtaken: nothing. */
export async function planStop(
  db: Db,
  { workload, reason, at, stopAt, stopWhy, isTold }: Decided & { stopAt: Date | null; stopWhy: Stop | null; isTold: boolean },
): Promise<void> {
  await inTx(db, async (tx) => {
    if (await isOvertaken(tx, workload)) return
    const isUp = await setPlannedStop(tx, workload.tenantId, { id: workload.id, stopAt, stopWhy })
    if (isUp && isTold) await note(tx, workload, reason, at, { placementId: workload.placement?.id ?? '' })
  })
}

/** running or paused → parking, because its planned moment is there. Overtaken: nothing. Errors: conflict. */
export async function parkAsPlanned(db: Db, { workload, reason, at }: Decided): Promise<void> {
  await inTx(db, async (tx) => {
    if (await isOvertaken(tx, workload)) return
    await transition(tx, workload, 'parking', reason, at, { placementId: workload.placement?.id ?? '' })
  })
}

/** Takes the row. Did somebody keep or open it or change its settings, or did something happen inside, since? Then the next pass decides anew. */
async function isOvertaken(tx: Tx, workload: Workload): Promise<boolean> {
  const now = await lockWorkload(tx, workload.tenantId, workload.id)
  return now === null || !isDeepStrictEqual(decidedOn(now), decidedOn(workload))
}

function decidedOn({ stopAt, lastBusyAt, lastOpenedAt, settings }: Workload) {
  return { stopAt, lastBusyAt, lastOpenedAt, settings }
}
