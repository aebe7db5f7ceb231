import type { Workload } from '@/domain/workloads'
import { workloadByLabel } from '@/server/store/system/workloads'
import type { Runtime } from './runtime'

/** The workload of a host label in this tenant. Another tenant's does not exist. */
export async function findByLabel({ db }: Pick<Runtime, 'db'>, tenantId: string, label: string): Promise<Workload | null> {
  const workload = await workloadByLabel(db, label)
  return workload?.tenantId === tenantId ? workload : null
}
