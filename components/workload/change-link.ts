import type { Suggestion } from '@/domain/placement'
import { applyChange } from '@/domain/suggestions'
import type { WorkloadView } from '@/domain/views'

/** The form for a new workload, filled in with this request and a change of it. Nothing is created by the link. Pure. */
export function changeLink(workload: Pick<WorkloadView, 'kind' | 'name' | 'spec'>, change: Suggestion['change'] = {}): string {
  const { kind, name } = workload
  return `/new?${new URLSearchParams({ kind, name, spec: JSON.stringify(applyChange(workload.spec, change)) })}`
}
