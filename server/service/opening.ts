import { AppError } from '@/domain/errors'
import type { Kind } from '@/domain/kinds'
import { isTerminal } from '@/domain/states'
import type { Workload } from '@/domain/workloads'
import { touchOpened } from '@/server/store/workloads'
import { type Ctx, loadFor } from './ctx'

/** Where the dashboard and each workload's own host are: `addresses()` of the settings. */
export type Origins = { dashboardOrigin: string; workloadOrigin(label: string): string }

/**
 * The address at which a person opens a workload: the door of its own host, or a session's terminal in the dashboard.
 * Nothing secret is in it. Errors: not_found, forbidden, wrong_state (it has ended for good).
 */
export async function openUrl(ctx: Ctx, id: string, origins: Origins): Promise<{ url: string }> {
  const workload = await loadFor(ctx, 'workload.open', id)
  if (isTerminal(workload.state) || workload.state === 'removing')
    throw new AppError('wrong_state', { action: 'open', state: workload.state })
  await touchOpened(ctx.db, ctx.tenantId, { id, at: ctx.now() })
  return { url: URL_OF[workload.kind](workload, origins) }
}

const ownHost = (workload: Workload, origins: Origins) => `${origins.workloadOrigin(workload.label)}/.berth/start`

const URL_OF: Record<Kind, (workload: Workload, origins: Origins) => string> = {
  notebook: ownHost,
  endpoint: ownHost,
  session: ({ id }, { dashboardOrigin }) => `${dashboardOrigin}/workloads/${id}/terminal`,
}
