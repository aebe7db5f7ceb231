import { AppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'
import type { Machine } from '@/domain/machines'
import { because } from '@/domain/reasons'
import { canMove } from '@/domain/states'
import type { Workload } from '@/domain/workloads'
import { inTx, type Tx } from '@/server/store/db'
import { detachPlacement } from '@/server/store/placements'
import { lockMachine, lockUnheard } from '@/server/store/system/machines'
import { forgetOrphans } from '@/server/store/system/orphans'
import { orderEnd, releasePlacement } from '@/server/store/system/placements'
import { heldOn } from '@/server/store/system/workloads'
import type { Ctx } from './ctx'
import { ownMachine } from './machines'
import { by } from './operate'
import { note, transition } from './transition'

/**
 * The owner says that a machine never comes back: what it ran is lost, and what that took is free. Should it come back after
 * all, it is told to end its copies, and files that it still has are found again. Returns how many workloads are lost.
 * Errors: not_found, forbidden, conflict (it can be reached, was heard a moment ago, or is the one that Berth runs on).
 */
export async function giveUpMachine(ctx: Ctx, id: string): Promise<{ lost: number }> {
  const machine = await ownMachine(ctx, id)
  if (machine.region === 'local')
    throw new AppError('conflict', { why: `Berth itself runs on ${machine.name}: it is not gone; delete its workloads instead` })
  return inTx(ctx.db, async (tx) => {
    const before = new Date(ctx.now().getTime() - LIMITS.machineSilentSeconds * 1000)
    if (!(await lockMachine(tx, id)) || !(await lockUnheard(tx, { machineId: id, before })))
      throw new AppError('conflict', {
        why: `${machine.name} is connected, or was within the last ${LIMITS.machineSilentSeconds} seconds: it is not gone`,
      })
    await forgetOrphans(tx, id)
    const held = await heldOn(tx, id)
    for (const workload of held) await lose(tx, ctx, { workload, machine })
    return { lost: held.filter((workload) => canMove(workload.state, 'lost')).length }
  })
}

/** What is being removed is finished by the controller; what failed is only not kept for a look any more. */
async function lose(tx: Tx, ctx: Ctx, { workload, machine }: { workload: Workload; machine: Machine }): Promise<void> {
  const { placement, state } = workload
  if (!placement || state === 'removing') return
  const reason = because('machine_gone', { machine: machine.name })
  const at = ctx.now()
  const guard = { ...by(ctx), placementId: placement.id }
  if (state === 'failed') {
    await note(tx, workload, reason, at, guard)
    await detachPlacement(tx, workload.tenantId, { id: workload.id, placementId: placement.id })
  } else await transition(tx, workload, 'lost', reason, at, { ...guard, patch: { placementId: null } })
  await releasePlacement(tx, { placementId: placement.id, why: reason.code, at })
  await orderEnd(tx, { placementId: placement.id, want: 'destroy' })
}
