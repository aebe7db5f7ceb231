import { z } from 'zod'
import { AppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'
import type { Machine } from '@/domain/machines'
import { hostPath } from '@/domain/mounts'
import type { MachineView, OrphanView } from '@/domain/views'
import { candidates, findMachines, saveMountRoots } from '@/server/store/machines'
import { listMembers } from '@/server/store/members'
import { latestSamples } from '@/server/store/samples'
import { setMachineState } from '@/server/store/system/machines'
import { type Orphan, orphansOn } from '@/server/store/system/orphans'
import { findTenant } from '@/server/store/users'
import { findWorkloads } from '@/server/store/workloads'
import type { Ctx } from './ctx'
import { checkRoot } from './folders'

/**
 * The machines that this tenant may know of, with what is taken on them and their use within the last minute. How full a
 * machine of others is, is no business of an untrusted tenant: it sees its own ones only.
 */
export async function listMachines(ctx: Ctx): Promise<MachineView[]> {
  const tenant = await findTenant(ctx.db, ctx.tenantId)
  const all = await candidates(ctx.db, ctx.tenantId)
  const known = tenant?.trust === 'trusted' ? all : all.filter((c) => c.machine.tenantId === ctx.tenantId)
  const ids = known.map((c) => c.machine.id)
  const samples = await latestSamples(ctx.db, ids, ctx.now())
  const orphans = await orphanViews(
    ctx,
    known.map((c) => c.machine),
  )
  const people = new Map((await listMembers(ctx.db, ctx.tenantId)).map(({ userId, name }) => [userId, name]))
  return known.map(({ machine, use }) => {
    const { machineId: _, ...used } = use
    const ownerName = people.get(machine.ownerId) ?? null
    return { ...machine, ownerName, used, use: samples.get(machine.id) ?? null, orphans: orphans.get(machine.id) ?? [] }
  })
}

/** One of them. Errors: not_found. */
export async function getMachine(ctx: Ctx, id: string): Promise<MachineView> {
  const machine = (await listMachines(ctx)).find((m) => m.id === id)
  if (!machine) throw new AppError('not_found', { what: 'machine' })
  return machine
}

/** Says below which folders of a machine its owner's workloads may be shown some. Errors: not_found, forbidden, invalid. */
export async function setMountRoots(ctx: Ctx, id: string, roots: readonly string[]): Promise<MachineView> {
  const machine = await ownMachine(ctx, id)
  const parsed = rootsInput.safeParse(roots)
  if (!parsed.success) throw new AppError('invalid', { field: 'roots', limit: parsed.error.issues[0]?.message ?? 'not folders' })
  // One that was allowed before and is gone since must not keep its owner from changing the others.
  for (const root of parsed.data.filter((r) => !machine.mountRoots.includes(r))) await checkRoot(ctx.db, machine, root)
  await saveMountRoots(ctx.db, ctx.tenantId, { id, roots: [...new Set(parsed.data)].sort() })
  return getMachine(ctx, id)
}
const rootsInput = z.array(hostPath).max(LIMITS.mountRootsMax, `at most ${LIMITS.mountRootsMax} folders`)

/** A person says that a machine which failed too often is fine: it takes work again. Errors: not_found, forbidden. */
export async function clearSuspect(ctx: Ctx, id: string): Promise<MachineView> {
  const machine = await ownMachine(ctx, id)
  await setMachineState(ctx.db, { machineId: machine.id, from: 'suspect', to: 'active' })
  return getMachine(ctx, id)
}

/** A machine of the tenant that this person may change: its owner, or an operator. Errors: not_found, forbidden. */
export async function ownMachine(ctx: Ctx, id: string): Promise<Machine> {
  const [machine] = await findMachines(ctx.db, ctx.tenantId, [id])
  if (!machine) throw new AppError('not_found', { what: 'machine' })
  if (!isTheirs(ctx, machine)) throw new AppError('forbidden', { action: 'change this machine' })
  return machine
}

function isTheirs({ tenantId, person }: Ctx, machine: Machine): boolean {
  return machine.tenantId === tenantId && (machine.ownerId === person.id || person.isOperator)
}

async function orphanViews(ctx: Ctx, machines: readonly Machine[]): Promise<Map<string, OrphanView[]>> {
  const theirs = machines.filter((machine) => isTheirs(ctx, machine)).map((machine) => machine.id)
  const orphans = theirs.length === 0 ? [] : await orphansOn(ctx.db, theirs)
  const ids = orphans.map((orphan) => orphan.instance.workloadId)
  const known = new Map((ids.length === 0 ? [] : await findWorkloads(ctx.db, ctx.tenantId, ids)).map((w) => [w.id, w]))
  const views = new Map<string, OrphanView[]>()
  for (const orphan of orphans) {
    const workload = known.get(orphan.instance.workloadId)
    views.set(orphan.machineId, [...(views.get(orphan.machineId) ?? []), toView(orphan, workload)])
  }
  return views
}

function toView(orphan: Orphan, known: Pick<OrphanView, 'kind' | 'name'> | undefined): OrphanView {
  const { instance, spec, status, firstSeenAt, decision } = orphan
  return { ...instance, kind: known?.kind ?? spec?.kind ?? null, name: known?.name ?? null, status, firstSeenAt, decision }
}
