import { AppError } from '@/domain/errors'
import type { State } from '@/domain/states'
import type { Workload } from '@/domain/workloads'
import { inTx, type Tx } from '@/server/store/db'
import { beginOperation, endOperation, type OperationKind, openOperation } from '@/server/store/operations'
import { lockWorkload } from '@/server/store/workloads'
import type { Ctx } from './ctx'

export type Operation = {
  kind: OperationKind
  from: readonly State[]
  /** States in which what was asked is done or under way: the answer is the row as it is. */
  already: readonly State[]
  /** The same, where the state alone does not tell. */
  isDone?: (workload: Workload) => boolean
  /** Open operations whose place it takes, instead of waiting for them. */
  replaces?: readonly OperationKind[]
  move: (tx: Tx, workload: Workload) => Promise<Workload>
}

/**
 * Runs what a person asked for as the one operation of a workload, in one transaction. The same one again joins it.
 * Errors: not_found, wrong_state, operation_in_flight.
 */
export async function operate(ctx: Ctx, id: string, operation: Operation): Promise<Workload> {
  return inTx(ctx.db, async (tx) => {
    const workload = await lock(tx, ctx, id)
    const open = await openOperation(tx, ctx.tenantId, id)
    const isInWay = open !== null && open.kind !== operation.kind && !operation.replaces?.includes(open.kind)
    // A restart passes through the states of a stop: that one was not asked for.
    if (open?.kind === 'restart' && operation.kind === 'park') throw new AppError('operation_in_flight', { kind: open.kind })
    if (operation.already.includes(workload.state) || operation.isDone?.(workload)) return workload
    if (isInWay) throw new AppError('operation_in_flight', { kind: open.kind })
    if (open?.kind === operation.kind) return workload
    if (!operation.from.includes(workload.state))
      throw new AppError('wrong_state', { action: operation.kind, state: workload.state })
    await begin(tx, ctx, { id, operation })
    return operation.move(tx, workload)
  })
}

/** Takes the workload's row for this transaction. Errors: not_found. */
export async function lock(tx: Tx, ctx: Ctx, id: string): Promise<Workload> {
  const workload = await lockWorkload(tx, ctx.tenantId, id)
  if (!workload) throw new AppError('not_found', { what: 'workload' })
  return workload
}

/** Says that this person did it. */
export function by(ctx: Ctx): { actor: 'person'; actorId: string } {
  return { actor: 'person', actorId: ctx.person.id }
}

async function begin(tx: Tx, ctx: Ctx, { id, operation }: { id: string; operation: Operation }): Promise<void> {
  const at = ctx.now()
  const { kind, replaces = [] } = operation
  await endOperation(tx, ctx.tenantId, { workloadId: id, kinds: replaces, outcome: 'replaced', at })
  await beginOperation(tx, ctx.tenantId, { id: ctx.newId(), workloadId: id, kind, userId: ctx.person.id, at })
}
