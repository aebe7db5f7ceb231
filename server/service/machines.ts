import { AppError } from '@/domain/errors'
import type { MachineView } from '@/domain/views'
import { candidates } from '@/server/store/machines'
import { latestSamples } from '@/server/store/samples'
import { findTenant } from '@/server/store/users'
import type { Ctx } from './ctx'

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
  return known.map(({ machine, use }) => {
    const { machineId: _, ...used } = use
    return { ...machine, used, use: samples.get(machine.id) ?? null }
  })
}

/** One of them. Errors: not_found. */
export async function getMachine(ctx: Ctx, id: string): Promise<MachineView> {
  const machine = (await listMachines(ctx)).find((m) => m.id === id)
  if (!machine) throw new AppError('not_found', { what: 'machine' })
  return machine
}
