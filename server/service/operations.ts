import { AppError } from '@/domain/errors'
import { workloadName } from '@/domain/names'
import { because } from '@/domain/reasons'
import type { Workload } from '@/domain/workloads'
import { inTx, type Tx } from '@/server/store/db'
import { isUniqueViolation } from '@/server/store/errors'
import { renameRow } from '@/server/store/workloads'
import { type Ctx, loadFor } from './ctx'
import { by, lock, operate } from './operate'
import { freeze, startAgain } from './starting'
import { note, transition } from './transition'

/**
 * Stops a workload and keeps its workspace; joins a park already under way, and takes the place of a pause. Errors:
 * not_found, forbidden, wrong_state, operation_in_flight.
 */
export async function parkWorkload(ctx: Ctx, id: string): Promise<Workload> {
  await loadFor(ctx, 'workload.operate', id)
  return operate(ctx, id, {
    kind: 'park',
    from: ['running', 'paused'],
    already: ['parking', 'parked'],
    replaces: ['pause', 'resume'],
    move: (tx, workload) =>
      transition(tx, workload, 'parking', because('parked_by_person', { person: ctx.person.name }), ctx.now(), by(ctx)),
  })
}

/**
 * Asks for a workload to be frozen in memory; it is `paused` once its machine says so. Joins a pause already under way.
 * Errors: as parkWorkload; conflict (its machine cannot freeze).
 */
export async function pauseWorkload(ctx: Ctx, id: string): Promise<Workload> {
  await loadFor(ctx, 'workload.operate', id)
  return operate(ctx, id, {
    kind: 'pause',
    from: ['running'],
    already: ['paused'],
    move: (tx, workload) => freeze(tx, ctx, { workload, want: 'pause' }),
  })
}

/**
 * Lets a frozen workload go on, or takes back a pause that its machine has not confirmed; starts a parked one again where
 * its workspace is. Errors: as parkWorkload.
 */
export async function resumeWorkload(ctx: Ctx, id: string): Promise<Workload> {
  await loadFor(ctx, 'workload.operate', id)
  return operate(ctx, id, {
    kind: 'resume',
    from: ['paused', 'parked', 'running'],
    already: ['queued', 'provisioning'],
    replaces: ['pause'],
    isDone: (workload) => workload.state === 'running' && workload.placement?.want !== 'pause',
    move: (tx, workload) => {
      if (workload.state !== 'parked') return freeze(tx, ctx, { workload, want: 'run' })
      return startAgain(tx, ctx, { workload, reason: because('resumed_by_person', { person: ctx.person.name }) })
    },
  })
}

/**
 * Starts a failed workload again; what still stands of it is ended and its workspace kept. One that is up, and whose main
 * process ended or whose host is too old, is stopped and then started: one operation, whose second half follows by itself.
 * Errors: as parkWorkload.
 */
export async function restartWorkload(ctx: Ctx, id: string): Promise<Workload> {
  await loadFor(ctx, 'workload.operate', id)
  const reason = because('restarted_by_person', { person: ctx.person.name })
  return operate(ctx, id, {
    kind: 'restart',
    from: ['failed', 'running'],
    already: ['queued', 'provisioning'],
    isDone: (workload) => workload.state === 'running' && workload.exitCode === null && workload.placement?.needsRestart !== true,
    move: (tx, workload) => {
      if (workload.state === 'failed') return startAgain(tx, ctx, { workload, reason })
      return transition(tx, workload, 'parking', reason, ctx.now(), by(ctx))
    },
  })
}

/** Starts a lost workload again from its workspace. Errors: as parkWorkload. */
export async function recoverWorkload(ctx: Ctx, id: string): Promise<Workload> {
  await loadFor(ctx, 'workload.operate', id)
  const reason = because('recovered_by_person', { person: ctx.person.name })
  return operate(ctx, id, {
    kind: 'recover',
    from: ['lost'],
    already: ['queued', 'provisioning', 'running'],
    move: (tx, workload) => startAgain(tx, ctx, { workload, reason }),
  })
}

/** Gives a living workload another name. Errors: not_found, forbidden, invalid, wrong_state, name_taken. */
export async function renameWorkload(ctx: Ctx, id: string, name: string): Promise<Workload> {
  const parsed = workloadName.safeParse(name)
  if (!parsed.success) throw new AppError('invalid', { field: 'name', limit: parsed.error.issues[0]?.message ?? 'not a name' })
  const known = await loadFor(ctx, 'workload.settings', id)
  if (known.name === name) return known
  try {
    return await inTx(ctx.db, (tx) => renameLocked(tx, ctx, { id, name }))
  } catch (error) {
    if (isUniqueViolation(error, 'live_name')) throw new AppError('name_taken', { name }, { cause: error })
    throw error
  }
}

async function renameLocked(tx: Tx, ctx: Ctx, { id, name }: { id: string; name: string }): Promise<Workload> {
  const workload = await lock(tx, ctx, id)
  if (!(await renameRow(tx, ctx.tenantId, { id, ownerId: workload.ownerId, name })))
    throw new AppError('wrong_state', { action: 'rename', state: workload.state })
  await note(tx, workload, because('renamed_by_person', { person: ctx.person.name, name }), ctx.now(), by(ctx))
  return { ...workload, name }
}
