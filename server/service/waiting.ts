import type { Reason } from '@/domain/reasons'
import { WAIT_CODES } from '@/domain/reasons-of-waiting'
import type { Workload } from '@/domain/workloads'
import { type Db, inTx } from '@/server/store/db'
import { codesSinceMove } from '@/server/store/events'
import { saveWaitReason } from '@/server/store/system/workloads'
import { lockWorkload } from '@/server/store/workloads'
import { note } from './transition'

/** Lines that one wait leaves at most: a machine that comes and goes changes the reason all the time. */
const LINES_MAX = 3

/**
 * Keeps why a queued workload waits. A wait leaves one line for each kind of reason that it had, three at the most; new
 * numbers, a new place in the queue and a reason that was told before only refresh what pages show.
 */
export async function keepWaitReason(db: Db, wait: { workload: Workload; reason: Reason; at: Date }): Promise<void> {
  const { workload, reason, at } = wait
  const { id, tenantId } = workload
  const refreshed = { workloadId: id, reason, at }
  if (workload.reason?.code === reason.code) {
    await saveWaitReason(db, refreshed)
    return
  }
  await inTx(db, async (tx) => {
    const now = await lockWorkload(tx, tenantId, id)
    // Placed or canceled since the facts were read: then it does not wait.
    if (now?.state !== 'queued') return
    const told = await codesSinceMove(tx, tenantId, { workloadId: id, limit: LINES_MAX, codes: WAIT_CODES })
    if (told.length >= LINES_MAX || told.includes(reason.code)) await saveWaitReason(tx, refreshed)
    else await note(tx, now, reason, at, { isShown: true })
  })
}
