import { because } from '@/domain/reasons'
import { type Db, inTx } from '@/server/store/db'
import { markOutdated } from '@/server/store/system/placements'
import { workloadById } from '@/server/store/system/workloads'
import { note } from './transition'

/** Tells, once a start, that the host of an instance is too old for its machine's agent. Of one that is not in use any more, nothing. */
export async function noteOutdatedHost(db: Db, seen: { workloadId: string; placementId: string; at: Date }): Promise<void> {
  const { workloadId, placementId, at } = seen
  const workload = await workloadById(db, workloadId)
  if (workload?.placement?.id !== placementId || workload.placement.needsRestart) return
  await inTx(db, async (tx) => {
    if (await markOutdated(tx, placementId)) await note(tx, workload, because('host_outdated', {}), at, { actor: 'machine' })
  })
}
