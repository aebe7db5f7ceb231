import { AppError } from '@/domain/errors'
import { because, type Reason } from '@/domain/reasons'
import type { Workload } from '@/domain/workloads'
import type { Tx } from '@/server/store/db'
import { endOperation } from '@/server/store/operations'
import { machineById } from '@/server/store/system/machines'
import { askFreeze, orderEnd, releasePlacement } from '@/server/store/system/placements'
import { findWorkload } from '@/server/store/workloads'
import type { Ctx } from './ctx'
import { by } from './operate'
import { reserveQuota } from './quotas'
import { note, transition } from './transition'

/** Queues a stopped workload; what is left of a failed start gives its capacity back and is ended, its files are kept. Errors: over_quota. */
export async function startAgain(tx: Tx, ctx: Ctx, again: { workload: Workload; reason: Reason }): Promise<Workload> {
  const { workload, reason } = again
  await reserveQuota(tx, workload)
  const at = ctx.now()
  const patch = { placementId: null, attempts: 0, nextTryAt: null, exitCode: null }
  const moved = await transition(tx, workload, 'queued', reason, at, { ...by(ctx), patch })
  if (!workload.placement) return moved
  await releasePlacement(tx, { placementId: workload.placement.id, why: 'restarted', at })
  await orderEnd(tx, { placementId: workload.placement.id, want: 'destroy' })
  return moved
}

/** Tells the machine to freeze an instance or to let it go on; the state follows when it confirms. Errors: conflict. */
export async function freeze(tx: Tx, ctx: Ctx, asked: { workload: Workload; want: 'run' | 'pause' }): Promise<Workload> {
  const { workload, want } = asked
  const { placement } = workload
  if (!placement) throw new AppError('wrong_state', { action: want === 'run' ? 'resume' : 'pause', state: workload.state })
  if (want === 'pause') await requireFreezer(tx, placement)
  if (!(await askFreeze(tx, { placementId: placement.id, want }))) throw new AppError('conflict', { why: 'it is being stopped' })
  const code = want === 'run' ? 'resumed_by_person' : 'paused_by_person'
  await note(tx, workload, because(code, { person: ctx.person.name }), ctx.now(), by(ctx))
  // Nothing froze it yet: there is nothing to wait for.
  if (want === 'run' && workload.state === 'running')
    await endOperation(tx, ctx.tenantId, { workloadId: workload.id, kinds: ['resume'], outcome: 'done', at: ctx.now() })
  return (await findWorkload(tx, ctx.tenantId, workload.id)) ?? workload
}

async function requireFreezer(tx: Tx, on: { machineId: string; machineName: string; driver: string }): Promise<void> {
  const machine = await machineById(tx, on.machineId)
  const offer = machine?.inventory?.drivers.find((one) => one.row === on.driver)
  if (!offer?.canPause) throw new AppError('conflict', { why: `${on.machineName} cannot freeze programs; park it instead` })
}
