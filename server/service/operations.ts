import { AppError } from '@/domain/errors'
import { workloadName } from '@/domain/names'
import { because, type Reason } from '@/domain/reasons'
import type { State } from '@/domain/states'
import type { Workload } from '@/domain/workloads'
import { inTx, type Tx } from '@/server/store/db'
import { isUniqueViolation } from '@/server/store/errors'
import { beginOperation, type OperationKind, openOperation } from '@/server/store/operations'
import { orderEnd, releasePlacement } from '@/server/store/system/placements'
import { lockWorkload, renameRow } from '@/server/store/workloads'
import { type Ctx, loadFor } from './ctx'
import { note, transition } from './transition'

/** Stops a workload and keeps its workspace; joins a park already under way. Errors: not_found, forbidden, wrong_state, operation_in_flight. */
export async function parkWorkload(ctx: Ctx, id: string): Promise<Workload> {
  await loadFor(ctx, 'workload.operate', id)
  return operate(ctx, id, {
    kind: 'park',
    from: ['running', 'paused'],
    already: ['parking', 'parked'],
    move: (tx, workload) =>
      transition(tx, workload, 'parking', because('parked_by_person', { person: ctx.person.name }), ctx.now(), by(ctx)),
  })
}

/** Starts a parked workload again, where its workspace is. Errors: as parkWorkload. */
export async function resumeWorkload(ctx: Ctx, id: string): Promise<Workload> {
  return startAgain(ctx, id, {
    kind: 'resume',
    from: 'parked',
    reason: because('resumed_by_person', { person: ctx.person.name }),
  })
}

/** Starts a failed workload again; what still stands of it is ended and its workspace kept. Errors: as parkWorkload. */
export async function restartWorkload(ctx: Ctx, id: string): Promise<Workload> {
  return startAgain(ctx, id, {
    kind: 'restart',
    from: 'failed',
    reason: because('restarted_by_person', { person: ctx.person.name }),
  })
}

/** Starts a lost workload again from its workspace. Errors: as parkWorkload. */
export async function recoverWorkload(ctx: Ctx, id: string): Promise<Workload> {
  return startAgain(ctx, id, {
    kind: 'recover',
    from: 'lost',
    reason: because('recovered_by_person', { person: ctx.person.name }),
  })
}

/** Gives a living workload another name. Errors: not_found, forbidden, invalid, wrong_state, name_taken. */
export async function renameWorkload(ctx: Ctx, id: string, name: string): Promise<Workload> {
  const parsed = workloadName.safeParse(name)
  if (!parsed.success) throw new AppError('invalid', { field: 'name', limit: parsed.error.issues[0]?.message ?? 'not a name' })
  const known = await loadFor(ctx, 'workload.settings', id)
  if (known.name === name) return known
  try {
    return await inTx(ctx.db, async (tx) => {
      const workload = await lock(tx, ctx, id)
      if (!(await renameRow(tx, ctx.tenantId, { id, ownerId: workload.ownerId, name })))
        throw new AppError('wrong_state', { action: 'rename', state: workload.state })
      await note(tx, workload, because('renamed_by_person', { person: ctx.person.name, name }), ctx.now(), by(ctx))
      return { ...workload, name }
    })
  } catch (error) {
    if (isUniqueViolation(error, 'live_name')) throw new AppError('name_taken', { name }, { cause: error })
    throw error
  }
}

type Operation = {
  kind: OperationKind
  from: readonly State[]
  /** States in which what was asked is done or under way: the answer is the row as it is. */
  already: readonly State[]
  move: (tx: Tx, workload: Workload) => Promise<Workload>
}

async function operate(ctx: Ctx, id: string, operation: Operation): Promise<Workload> {
  return inTx(ctx.db, async (tx) => {
    const workload = await lock(tx, ctx, id)
    if (operation.already.includes(workload.state)) return workload
    const open = await openOperation(tx, ctx.tenantId, id)
    if (open) throw new AppError('operation_in_flight', { kind: open.kind })
    if (!operation.from.includes(workload.state))
      throw new AppError('wrong_state', { action: operation.kind, state: workload.state })
    await beginOperation(tx, ctx.tenantId, {
      id: ctx.newId(),
      workloadId: id,
      kind: operation.kind,
      userId: ctx.person.id,
      at: ctx.now(),
    })
    return operation.move(tx, workload)
  })
}

async function startAgain(
  ctx: Ctx,
  id: string,
  again: { kind: 'resume' | 'restart' | 'recover'; from: State; reason: Reason },
): Promise<Workload> {
  await loadFor(ctx, 'workload.operate', id)
  return operate(ctx, id, {
    kind: again.kind,
    from: [again.from],
    already: ['queued', 'provisioning', 'running'],
    move: async (tx, workload) => {
      const patch = { placementId: null, attempts: 0, nextTryAt: null, exitCode: null }
      const moved = await transition(tx, workload, 'queued', again.reason, ctx.now(), { ...by(ctx), patch })
      if (workload.placement) await endInstance(tx, workload.placement.id, ctx.now())
      return moved
    },
  })
}

/** What is left of a failed start gives its capacity back, and its machine is told to end it and to keep the files. */
async function endInstance(tx: Tx, placementId: string, at: Date): Promise<void> {
  await releasePlacement(tx, { placementId, why: 'restarted', at })
  await orderEnd(tx, { placementId, want: 'destroy' })
}

async function lock(tx: Tx, ctx: Ctx, id: string): Promise<Workload> {
  const workload = await lockWorkload(tx, ctx.tenantId, id)
  if (!workload) throw new AppError('not_found', { what: 'workload' })
  return workload
}

function by(ctx: Ctx): { actor: 'person'; actorId: string } {
  return { actor: 'person', actorId: ctx.person.id }
}
