import type { WorkloadView } from '@/domain/views'

/** The page of a workload. */
export function workloadPath(id: string): string {
  return `/workloads/${id}`
}

/** Where Open leads: a session's terminal in this tab, anything else on its own host in a new one. */
export function openTarget(workload: Pick<WorkloadView, 'id' | 'kind' | 'label'>): { href: string; isNewTab: boolean } {
  if (workload.kind === 'session') return { href: `${workloadPath(workload.id)}/terminal`, isNewTab: false }
  return { href: `/open/${workload.label}`, isNewTab: true }
}
