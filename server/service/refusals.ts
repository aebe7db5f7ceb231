import { LIMITS } from '@/domain/limits'
import { because } from '@/domain/reasons'
import type { RefusedHost } from '@/domain/refusals'
import { type Db, inTx } from '@/server/store/db'
import { type NotedRefusal, notedRefusals } from '@/server/store/system/refusals'
import { workloadById } from '@/server/store/system/workloads'
import { lockWorkload } from '@/server/store/workloads'
import { note } from './transition'

export type Refused = { workloadId: string; placementId: string; hosts: readonly RefusedHost[]; at: Date }
export type Noted = ReadonlyMap<string, NotedRefusal>

/** So many lines a transaction; the rest come with the next answer of the machine. */
const LINES_MAX = 20

/**
 * Tells in the timeline what an instance was refused: the first of each host at once, then at most once an hour how many
 * there were. The timeline itself says what was told, so that the same again, by whomever, writes nothing. Returns that.
 */
export async function noteRefusals(db: Db, refused: Refused): Promise<Noted> {
  const { workloadId, placementId, hosts, at } = refused
  const found = await workloadById(db, workloadId)
  if (!found) return new Map()
  const told = await notedRefusals(db, workloadId)
  if (untold(hosts, told, at).length === 0) return told
  return inTx(db, async (tx) => {
    const workload = await lockWorkload(tx, found.tenantId, workloadId)
    const noted = await notedRefusals(tx, workloadId)
    if (workload?.placement?.id !== placementId) return noted
    for (const { host, count } of untold(hosts, noted, at).slice(0, LINES_MAX)) {
      const isFirst = !noted.has(host)
      const reason = isFirst ? because('egress_denied', { host }) : because('egress_denied_often', { host, count })
      await note(tx, workload, reason, at, { actor: 'machine', placementId })
      noted.set(host, { count: isFirst ? 1 : count, at })
    }
    return noted
  })
}

/** Which of these the timeline should name now. Pure. */
export function untold(hosts: readonly RefusedHost[], noted: Noted, at: Date): RefusedHost[] {
  return hosts.filter(({ host, count }) => {
    const known = noted.get(host)
    if (!known) return true
    // A clock that went back holds nothing up.
    const isDue = Math.abs(at.getTime() - known.at.getTime()) >= LIMITS.refusalRepeatMinutes * 60_000
    return isDue && count > known.count
  })
}
