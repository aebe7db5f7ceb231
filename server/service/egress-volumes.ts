import { LIMITS } from '@/domain/limits'
import { because } from '@/domain/reasons'
import { type Db, inTx } from '@/server/store/db'
import { notedVolumes } from '@/server/store/system/refusals'
import { workloadById } from '@/server/store/system/workloads'
import { lockWorkload } from '@/server/store/workloads'
import { note } from './transition'

type Sent = { workloadId: string; placementId: string; hosts: readonly string[]; at: Date }

/**
 * Tells in the timeline, once a start and host, that an instance sent more than the bound of the alarm to a host that it may
 * reach. The timeline itself says what was told, so that the same again, by whomever, writes nothing. Returns that.
 */
export async function noteVolumes(db: Db, sent: Sent): Promise<ReadonlySet<string>> {
  const { workloadId, placementId, hosts, at } = sent
  const found = await workloadById(db, workloadId)
  if (!found) return new Set()
  const told = await notedVolumes(db, workloadId)
  if (hosts.every((host) => told.has(host))) return told
  return inTx(db, async (tx) => {
    const workload = await lockWorkload(tx, found.tenantId, workloadId)
    const noted = await notedVolumes(tx, workloadId)
    if (workload?.placement?.id !== placementId) return noted
    for (const host of hosts.filter((name) => !noted.has(name))) {
      const reason = because('egress_volume', { host, mib: LIMITS.egressAlarmBytes / 2 ** 20 })
      await note(tx, workload, reason, at, { actor: 'machine', placementId })
      noted.add(host)
    }
    return noted
  })
}
