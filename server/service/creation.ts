import type { Catalog } from '@/domain/catalog'
import { AppError } from '@/domain/errors'
import { KINDS } from '@/domain/kinds'
import { LIMITS } from '@/domain/limits'
import { generatedName } from '@/domain/names'
import { because } from '@/domain/reasons'
import { type CreateWorkloadInput, NO_SETTINGS, type Workload } from '@/domain/workloads'
import { inTx, type Tx } from '@/server/store/db'
import { isUniqueViolation } from '@/server/store/errors'
import { findIdempotencyKey, putIdempotencyKey } from '@/server/store/idempotency'
import { candidates } from '@/server/store/machines'
import { takeQuota } from '@/server/store/quota'
import { countPending, findWorkload, insertWorkload, isNameTaken } from '@/server/store/workloads'
import type { Ctx } from './ctx'
import { checkFolders } from './folders'
import { newLabel } from './label'
import { checkQuota } from './quotas'
import { requestDigest } from './request-digest'
import { checkSettings } from './settings'
import { recordCreation } from './transition'

/**
 * Accepts a workload: one transaction takes the quota row, checks the limits and the idempotency key, and writes row
 * and event. The same key with the same request returns the first row as it stands. Errors: forbidden, invalid,
 * not_found (machine), name_taken, over_limit, over_quota, idempotency_mismatch.
 */
export async function insertRequested(ctx: Ctx, input: CreateWorkloadInput): Promise<Workload> {
  const digest = requestDigest(input)
  const first = await firstUse(ctx.db, ctx, { input, digest })
  if (first) return first
  checkCatalog(ctx.catalog, input)
  checkSettings(input.settings ?? NO_SETTINGS)
  await checkMachine(ctx, input.spec.machineId)
  await checkFolders(ctx, input)
  for (let attempt = 1; ; attempt++) {
    try {
      return await inTx(ctx.db, (tx) => insertOnce(tx, ctx, { input, digest }))
    } catch (error) {
      if (!isUniqueViolation(error, 'live_name')) throw error
      if (input.name !== '' || attempt === NAME_TRIES) throw new AppError('name_taken', { name: input.name }, { cause: error })
    }
  }
}
const NAME_TRIES = 5

type Request = { input: CreateWorkloadInput; digest: string }

async function insertOnce(tx: Tx, ctx: Ctx, request: Request): Promise<Workload> {
  const { input, digest } = request
  if (!(await takeQuota(tx, ctx.tenantId))) throw new AppError('not_found', { what: 'tenant' })
  const first = await firstUse(tx, ctx, request)
  if (first) return first
  await checkQuota(tx, { id: null, tenantId: ctx.tenantId, ownerId: ctx.person.id, spec: input.spec })
  await checkLimits(tx, ctx)
  const id = ctx.newId()
  const at = ctx.now()
  const name = input.name === '' ? await freeName(tx, ctx) : input.name
  const { kind, spec, settings = NO_SETTINGS } = input
  const row = { id, ownerId: ctx.person.id, kind, spec, settings, name, label: newLabel(), createdAt: at }
  await insertWorkload(tx, ctx.tenantId, row)
  const reason = because('created', { person: ctx.person.name })
  await recordCreation(tx, { tenantId: ctx.tenantId, id, reason, at, actorId: ctx.person.id })
  if (input.idempotencyKey) await rememberKey(tx, ctx, { key: input.idempotencyKey, digest, workloadId: id })
  return found(tx, ctx, id)
}

/** The workload that this key made before, or null when the key is new, expired or absent. */
async function firstUse(tx: Tx, ctx: Ctx, { input, digest }: Request): Promise<Workload | null> {
  if (!input.idempotencyKey) return null
  const scope = { userId: ctx.person.id, key: input.idempotencyKey, at: ctx.now() }
  const used = await findIdempotencyKey(tx, ctx.tenantId, scope)
  if (!used) return null
  if (used.digest !== digest) throw new AppError('idempotency_mismatch', {})
  return found(tx, ctx, used.workloadId)
}

async function rememberKey(tx: Tx, ctx: Ctx, used: { key: string; digest: string; workloadId: string }): Promise<void> {
  const at = ctx.now()
  const expiresAt = new Date(at.getTime() + LIMITS.idempotencyHours * 3_600_000)
  await putIdempotencyKey(tx, ctx.tenantId, { ...used, id: ctx.newId(), userId: ctx.person.id, at, expiresAt })
}

async function checkLimits(tx: Tx, ctx: Ctx): Promise<void> {
  const { pending, recent } = await countPending(tx, ctx.tenantId, new Date(ctx.now().getTime() - 60_000))
  if (pending >= LIMITS.pendingWorkloadsPerTenant)
    throw new AppError('over_limit', { limit: 'pendingWorkloadsPerTenant', max: LIMITS.pendingWorkloadsPerTenant })
  if (recent >= LIMITS.createsPerMinute)
    throw new AppError('over_limit', { limit: 'createsPerMinute', max: LIMITS.createsPerMinute, retrySeconds: 60 })
}

function checkCatalog(catalog: Catalog, { kind, spec }: CreateWorkloadInput): void {
  const runtime = catalog.runtimes.find((r) => r.id === spec.runtime)
  if (runtime?.kind !== kind)
    throw new AppError('invalid', { field: 'spec.runtime', limit: `not a runtime of the catalog for ${KINDS[kind].one}` })
  const asked = spec.gpu?.class ?? null
  if (asked !== null && !catalog.classes.some((c) => c.id === asked))
    throw new AppError('invalid', { field: 'spec.gpu.class', limit: classesText(catalog) })
  if (spec.command !== null && kind !== 'session')
    throw new AppError('invalid', { field: 'spec.command', limit: 'only a session has one' })
  if (spec.requirements.length > 0 && kind !== 'notebook')
    throw new AppError('invalid', { field: 'spec.requirements', limit: 'only a notebook has them' })
}

function classesText({ classes }: Catalog): string {
  return `a GPU class of the catalog: ${classes.map(({ id }) => id).join(', ') || 'it has none'}`
}

async function checkMachine(ctx: Ctx, machineId: string | null): Promise<void> {
  if (machineId === null) return
  const known = await candidates(ctx.db, ctx.tenantId)
  if (!known.some((c) => c.machine.id === machineId)) throw new AppError('not_found', { what: 'machine' })
}

async function freeName(tx: Tx, ctx: Ctx): Promise<string> {
  for (let attempt = 0; attempt < NAME_TRIES; attempt++) {
    const name = generatedName(ctx.random)
    if (!(await isNameTaken(tx, ctx.tenantId, { ownerId: ctx.person.id, name }))) return name
  }
  // Chance was against us: an id never clashes.
  return `workload-${ctx.newId().slice(-12)}`
}

async function found(tx: Tx, ctx: Ctx, id: string): Promise<Workload> {
  const workload = await findWorkload(tx, ctx.tenantId, id)
  if (!workload) throw new AppError('not_found', { what: 'workload' })
  return workload
}
