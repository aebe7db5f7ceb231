import type { WorkloadView } from '@/domain/views'

/** Names of workloads by the device that they hold, for the tooltips of cells. Pure. */
export function holdersOf(workloads: readonly WorkloadView[]): ReadonlyMap<string, string> {
  return new Map(workloads.flatMap((w) => (w.placement?.devices ?? []).map((device): [string, string] => [device, w.name])))
}
