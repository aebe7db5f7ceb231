import type { Catalog } from '@/domain/catalog'
import { AppError } from '@/domain/errors'
import type { Role } from '@/domain/kinds'
import { ACTIONS, type Action, isAllowed } from '@/domain/permissions'
import type { Workload } from '@/domain/workloads'
import type { Db } from '@/server/store/db'
import { relationsTo } from '@/server/store/shares'
import { findWorkload } from '@/server/store/workloads'

export type Person = { id: string; name: string; email: string; role: Role; isOperator: boolean }

/** Who asks, for which tenant, and where time, ids and chance come from. Made once per request. */
export type Ctx = {
  db: Db
  tenantId: string
  person: Person
  via: 'cookie' | 'token'
  /** The browser's sign-in, or the API token: one of them is null. */
  signInId: string | null
  apiTokenId: string | null
  now(): Date
  newId(): string
  random(): number
  catalog: Catalog
}

/** The workload, after the check that this person may do this to it. Another tenant's does not exist. */
export async function loadFor(ctx: Ctx, action: Action, id: string): Promise<Workload> {
  const workload = await findWorkload(ctx.db, ctx.tenantId, id)
  if (!workload) throw new AppError('not_found', { what: 'workload' })
  await allow(ctx, action, workload)
  return workload
}

/** Throws unless the person may do this to the workload: not_found when they may not even see it, else forbidden. */
async function allow(ctx: Ctx, action: Action, workload: Workload): Promise<void> {
  const relations = await relationsTo(ctx.db, ctx.tenantId, { userId: ctx.person.id, workloads: [workload] })
  const relation = relations.get(workload.id) ?? 'other'
  const isKnown = workload.tenantId === ctx.tenantId && isAllowed(ctx.person.role, relation, 'workload.view')
  if (!isKnown) throw new AppError('not_found', { what: 'workload' })
  if (!isAllowed(ctx.person.role, relation, action)) throw new AppError('forbidden', { action: ACTIONS[action] })
}
