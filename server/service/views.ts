import type { Machine } from '@/domain/machines'
import { ACTIONS, type Action, isAllowed } from '@/domain/permissions'
import type { WorkloadView } from '@/domain/views'
import type { Workload } from '@/domain/workloads'
import { relationsTo } from '@/server/store/shares'
import { machinesByIds } from '@/server/store/system/machines'
import type { Ctx } from './ctx'

/** Workloads as this person sees them, in the same order: what they may do, and whether the machine can be reached. */
export async function toViews(ctx: Ctx, workloads: readonly Workload[]): Promise<WorkloadView[]> {
  const relations = await relationsTo(ctx.db, ctx.tenantId, { userId: ctx.person.id, workloads })
  const machines = new Map((await machinesByIds(ctx.db, workloads.flatMap(machineIdsOf))).map((m) => [m.id, m]))
  return workloads.map((workload) => {
    const relation = relations.get(workload.id) ?? 'other'
    const may = (Object.keys(ACTIONS) as Action[]).filter((action) => isAllowed(ctx.person.role, relation, action))
    const machine = machines.get(machineIdsOf(workload)[0] ?? '')
    return { ...workload, may, isOwn: relation === 'own', reach: machine ? reachOf(machine) : null }
  })
}

/** The machine that runs it, else the one that holds its files. */
function machineIdsOf(workload: Workload): string[] {
  const id = workload.placement?.machineId ?? workload.workspaceMachineId
  return id ? [id] : []
}

function reachOf(machine: Machine): WorkloadView['reach'] {
  const { id, name, isConnected, lastContactAt } = machine
  return { machineId: id, machineName: name, isConnected, lastContactAt }
}
