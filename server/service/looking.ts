import { AppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'
import { longerLook } from '@/domain/look'
import { because } from '@/domain/reasons'
import type { Workload } from '@/domain/workloads'
import { inTx } from '@/server/store/db'
import { saveLook } from '@/server/store/settings'
import { findWorkload } from '@/server/store/workloads'
import { type Ctx, loadFor } from './ctx'
import { by, lock } from './operate'
import { note } from './transition'

/**
 * Keeps what is left of a failed workload for a look, for so many minutes from now and at most a day after it failed. Errors:
 * not_found, forbidden, wrong_state, conflict (nothing of it is kept any more, or it is kept for as long as can be).
 */
export async function extendLook(ctx: Ctx, id: string, minutes: number): Promise<Workload> {
  await loadFor(ctx, 'workload.operate', id)
  return inTx(ctx.db, async (tx) => {
    const workload = await lock(tx, ctx, id)
    const { state, looksUntil } = workload
    if (state !== 'failed') throw new AppError('wrong_state', { action: 'look longer at', state })
    if (!looksUntil) throw new AppError('conflict', { why: 'nothing of it is kept for a look any more' })
    const until = longerLook(workload, ctx.now(), minutes)
    if (until <= looksUntil)
      throw new AppError('conflict', { why: `it is kept until then already; at most ${DAY} after it failed` })
    await saveLook(tx, ctx.tenantId, { id, until })
    const more = Math.max(1, Math.round((until.getTime() - looksUntil.getTime()) / 60_000))
    await note(tx, workload, because('look_extended', { person: ctx.person.name, minutes: more }), ctx.now(), by(ctx))
    return (await findWorkload(tx, ctx.tenantId, id)) ?? workload
  })
}
const DAY = `${LIMITS.lookMinutesMax / 60} hours`
