import { isDeepStrictEqual } from 'node:util'
import { AppError } from '@/domain/errors'
import { because } from '@/domain/reasons'
import { AT_REST } from '@/domain/states'
import type { Workload } from '@/domain/workloads'
import { inTx } from '@/server/store/db'
import { saveSpec } from '@/server/store/workloads'
import { type Ctx, loadFor } from './ctx'
import { by, lock } from './operate'
import { note } from './transition'

/**
 * Changes the packages of a notebook that does not run; its next start builds an environment of them. The same again
 * changes nothing. Errors: not_found, forbidden, invalid (no notebook), wrong_state.
 */
export async function setRequirements(ctx: Ctx, id: string, requirements: string[]): Promise<Workload> {
  const { kind } = await loadFor(ctx, 'workload.packages', id)
  if (kind !== 'notebook') throw new AppError('invalid', { field: 'requirements', limit: 'only a notebook has them' })
  return inTx(ctx.db, async (tx) => {
    const workload = await lock(tx, ctx, id)
    if (!AT_REST.includes(workload.state))
      throw new AppError('wrong_state', { action: 'change the packages of', state: workload.state })
    if (isDeepStrictEqual(workload.spec.requirements, requirements)) return workload
    const spec = { ...workload.spec, requirements }
    await saveSpec(tx, ctx.tenantId, { id, spec })
    await note(tx, workload, because('packages_changed', { person: ctx.person.name }), ctx.now(), by(ctx))
    return { ...workload, spec }
  })
}
