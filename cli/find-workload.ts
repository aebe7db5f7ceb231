import { LIMITS } from '@/domain/limits'
import type { WorkloadView } from '@/domain/views'
import type { Api } from './api'
import { Failure } from './failure'

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The workload of this name among the person's own living ones, or of this id among all that they may see. Throws one sentence. */
export async function findWorkload(api: Api, name: string): Promise<WorkloadView> {
  if (ID.test(name)) return api.query('workloads', 'get', { id: name })
  const { rows } = await api.query('workloads', 'list', { text: name, mine: true, limit: LIMITS.listMax })
  const found = rows.find((row) => row.name === name)
  if (!found) throw new Failure(`you have no workload called ${name}; \`npm run berth -- ls\` lists yours`, { code: 'not_found' })
  return found
}
