import { AppError } from '@/domain/errors'
import { deviceClass } from '@/domain/gpu-class'
import type { Machine } from '@/domain/machines'
import { generatedName } from '@/domain/names'
import type { OrphanSpec } from '@/domain/orphans'
import { because } from '@/domain/reasons'
import type { State } from '@/domain/states'
import { NO_SETTINGS, type Workload, type WorkloadSpec, workloadSpec } from '@/domain/workloads'
import { inTx, type Tx } from '@/server/store/db'
import { isUniqueViolation } from '@/server/store/errors'
import { endOperation, OPERATION_KINDS } from '@/server/store/operations'
import { decideOrphan, findOrphan, type Orphan, takeOrphan } from '@/server/store/system/orphans'
import { createPlacement, releasePlacement } from '@/server/store/system/placements'
import { findMember } from '@/server/store/users'
import { findWorkload, insertWorkload, lockWorkload } from '@/server/store/workloads'
import { putWorkspace } from '@/server/store/workspaces'
import type { Ctx } from './ctx'
import { newLabel } from './label'
import { ownMachine } from './machines'
import { by } from './operate'
import { recordCreation, transition } from './transition'

export type OrphanAsk = { machineId: string; placementId: string }

/** Tells a machine to end something that the store does not know, and to keep its files. Errors: not_found, forbidden. */
export async function stopOrphan(ctx: Ctx, ask: OrphanAsk): Promise<void> {
  await ownMachine(ctx, ask.machineId)
  if (!(await decideOrphan(ctx.db, { ...ask, decision: 'stop' }))) throw new AppError('not_found', { what: 'orphan' })
}

/**
 * Takes something that runs on a machine into the store, as it runs: its placement becomes the workload's, and the next
 * answer of the machine says how it is. A workload that the store never knew becomes its owner's again, under a new name.
 * Errors: not_found, forbidden, conflict (with why it can only be stopped).
 */
export async function adoptOrphan(ctx: Ctx, ask: OrphanAsk): Promise<Workload> {
  const machine = await ownMachine(ctx, ask.machineId)
  const orphan = await findOrphan(ctx.db, ask)
  if (!orphan) throw new AppError('not_found', { what: 'orphan' })
  const spec = await adoptableSpec(ctx, orphan)
  try {
    return await inTx(ctx.db, async (tx) => {
      if (!(await takeOrphan(tx, ask))) throw new AppError('not_found', { what: 'orphan' })
      const adoption = { orphan, spec, machine }
      const known = await lockWorkload(tx, ctx.tenantId, orphan.instance.workloadId)
      const queued = known ? await freeKnown(tx, ctx, { ...adoption, known }) : await insertAdopted(tx, ctx, adoption)
      return attach(tx, ctx, { ...adoption, workload: queued })
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict('the database has another start of it with the same number', error)
    throw error
  }
}

type Adoption = { orphan: Orphan; spec: OrphanSpec; machine: Machine }

/** What the machine remembers, when it is this tenant's and its owner is still a member. */
async function adoptableSpec(ctx: Ctx, { spec }: Orphan): Promise<OrphanSpec> {
  if (!spec) throw conflict('its machine does not know what it was')
  const owner = spec.tenantId === ctx.tenantId ? await findMember(ctx.db, ctx.tenantId, spec.ownerId) : null
  if (!owner) throw conflict('it belongs to nobody of this tenant')
  return spec
}

/** How a known workload gets back to the queue before it takes the instance; null: it is over. */
const TO_QUEUE: Record<State, readonly State[] | null> = {
  queued: [],
  provisioning: ['queued'],
  running: ['lost', 'queued'],
  paused: ['lost', 'queued'],
  parking: ['lost', 'queued'],
  parked: ['queued'],
  failed: ['queued'],
  lost: ['queued'],
  removing: null,
  removed: null,
  canceled: null,
}

async function freeKnown(tx: Tx, ctx: Ctx, adoption: Adoption & { known: Workload }): Promise<Workload> {
  const { known, machine, orphan } = adoption
  const path = TO_QUEUE[known.state]
  if (path === null) throw conflict(`its workload is ${known.state}`)
  const { placement } = known
  if (placement && (placement.machineId !== machine.id || placement.workloadGen >= orphan.instance.workloadGen))
    throw conflict('the database knows a newer start of it, or one on another machine')
  const at = ctx.now()
  await endOperation(tx, ctx.tenantId, { workloadId: known.id, kinds: OPERATION_KINDS, outcome: 'replaced', at })
  if (placement) await releasePlacement(tx, { placementId: placement.id, why: 'adopted', at })
  const reason = because('adopted_by_person', { person: ctx.person.name, machine: machine.name })
  let workload = known
  for (const to of path) workload = await transition(tx, workload, to, reason, at, { ...by(ctx), patch: { placementId: null } })
  return workload
}

async function insertAdopted(tx: Tx, ctx: Ctx, { orphan, spec, machine }: Adoption): Promise<Workload> {
  const { workloadId: id } = orphan.instance
  const at = ctx.now()
  const { ownerId, kind } = spec
  const name = `${generatedName(ctx.random)}-${id.slice(-4)}`
  await insertWorkload(tx, ctx.tenantId, {
    ...{ id, ownerId, kind, name, settings: NO_SETTINGS, createdAt: at },
    spec: specOf(spec),
    label: newLabel(),
  })
  const reason = because('adopted_by_person', { person: ctx.person.name, machine: machine.name })
  await recordCreation(tx, { tenantId: ctx.tenantId, id, reason, at, actorId: ctx.person.id })
  const inserted = await findWorkload(tx, ctx.tenantId, id)
  if (!inserted) throw new AppError('not_found', { what: 'workload' })
  return inserted
}

/** The placement row gets the id and the number that the machine knows; the machine is asked for what it does already. */
async function attach(tx: Tx, ctx: Ctx, adoption: Adoption & { workload: Workload }): Promise<Workload> {
  const { orphan, spec, machine, workload } = adoption
  const { placementId: id, workloadGen } = orphan.instance
  const at = ctx.now()
  const { driver, devices } = spec
  const first = machine.inventory?.devices.find((device) => device.uuid === devices[0])
  const placedClass = first ? deviceClass(first, ctx.catalog) : null
  // The row takes the generation after the workload's: here that is the orphan's own.
  const before = { ...workload, workloadGen: workloadGen - 1 }
  await createPlacement(tx, { id, workload: before, machineId: machine.id, driver, placedClass, devices, epoch: 0, at })
  await putWorkspace(tx, ctx.tenantId, { workloadId: workload.id, machineId: machine.id, at })
  const patch = {
    placementId: id,
    workloadGen: Math.max(workload.workloadGen, workloadGen),
    workspaceMachineId: machine.id,
    attempts: 0,
    nextTryAt: null,
  }
  const reason = because('adopted_by_person', { person: ctx.person.name, machine: machine.name })
  return transition(tx, workload, 'provisioning', reason, at, { ...by(ctx), patch })
}

function specOf({
  runtime,
  cpus,
  memoryBytes,
  diskBytes,
  devices,
  command,
  requirements,
  mounts,
  python,
}: OrphanSpec): WorkloadSpec {
  const gpu = devices.length === 0 ? null : { class: null, count: devices.length }
  return workloadSpec.parse({ runtime, cpus, memoryBytes, diskBytes, gpu, command, requirements, mounts, python })
}

function conflict(why: string, cause?: unknown): AppError<'conflict'> {
  return new AppError('conflict', { why: `it cannot be adopted, only stopped: ${why}` }, { cause })
}
