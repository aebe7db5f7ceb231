import { because } from '@/domain/reasons'
import { isTerminal } from '@/domain/states'
import type { Placement, Workload } from '@/domain/workloads'
import { inTx, type Tx } from '@/server/store/db'
import { beginOperation, endOperation, OPERATION_KINDS } from '@/server/store/operations'
import { listPlacements } from '@/server/store/placements'
import { machineById } from '@/server/store/system/machines'
import { orderEnd, releasePlacement } from '@/server/store/system/placements'
import { dropWorkspace } from '@/server/store/workspaces'
import { type Ctx, loadFor } from './ctx'
import { by, lock } from './operate'
import { transition } from './transition'

/**
 * Deletes a workload with its files, in every state; twice is once. One that was never placed is canceled. With its
 * machine away it is removed at once and its name is free; what is left there is destroyed when the machine is back.
 * Errors: not_found, forbidden.
 */
export async function deleteWorkload(ctx: Ctx, id: string): Promise<Workload> {
  await loadFor(ctx, 'workload.delete', id)
  return inTx(ctx.db, async (tx) => {
    const workload = await lock(tx, ctx, id)
    if (isTerminal(workload.state) || workload.state === 'removing') return workload
    await replaceOperation(tx, ctx, id)
    const person = { person: ctx.person.name }
    if (workload.workloadGen === 0)
      return transition(tx, workload, 'canceled', because('canceled_by_person', person), ctx.now(), by(ctx))
    const reason = because('deleted_by_person', person)
    const last = workload.placement ?? (await lastPlacement(tx, workload))
    if (last) await orderEnd(tx, { placementId: last.id, want: 'remove' })
    const patch = { placementId: last?.id ?? null, nextTryAt: null }
    const removing = await transition(tx, workload, 'removing', reason, ctx.now(), { ...by(ctx), patch })
    return removeFrom(tx, ctx, { workload: removing, last })
  })
}

/** The row keeps its last placement while it is removed: that is the instance, and the files, that the machine must end. */
async function removeFrom(tx: Tx, ctx: Ctx, removed: { workload: Workload; last: Placement | null }): Promise<Workload> {
  const { workload, last } = removed
  if (last && !(await isAway(tx, last.machineId))) return workload
  const at = ctx.now()
  if (last) await releasePlacement(tx, { placementId: last.id, why: 'removed', at })
  await dropWorkspace(tx, ctx.tenantId, { workloadId: workload.id, at })
  const reason = last ? because('removed_later', { machine: last.machineName }) : because('removed', {})
  return transition(tx, workload, 'removed', reason, at, { patch: { placementId: null, workspaceMachineId: null } })
}

async function replaceOperation(tx: Tx, ctx: Ctx, workloadId: string): Promise<void> {
  const at = ctx.now()
  await endOperation(tx, ctx.tenantId, { workloadId, kinds: OPERATION_KINDS, outcome: 'replaced', at })
  await beginOperation(tx, ctx.tenantId, { id: ctx.newId(), workloadId, kind: 'delete', userId: ctx.person.id, at })
}

async function lastPlacement(tx: Tx, workload: Workload): Promise<Placement | null> {
  const [last] = await listPlacements(tx, workload.tenantId, { workloadId: workload.id, limit: 1 })
  return last ?? null
}

/** No controller has a connection to it. Whether one that is connected answers shows later: a clock that was set says nothing. */
async function isAway(tx: Tx, machineId: string): Promise<boolean> {
  return !(await machineById(tx, machineId))?.isConnected
}
