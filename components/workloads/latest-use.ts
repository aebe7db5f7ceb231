import { seriesOf } from '@/components/workload/use/use-series'
import type { InstanceUse } from '@/domain/machines'
import type { WorkloadView } from '@/domain/views'

/** `share`: of the first thing that it holds, its GPUs or else its CPUs, 0 to 1 and above; `all` says every one in words. */
type LatestUse = { share: number; percent: string; all: string }

/** What a workload used of what it holds when it was measured last; null for what does not run. Pure. */
export function latestUse(workload: WorkloadView, use: InstanceUse): LatestUse | null {
  if (workload.placement === null) return null
  const series = seriesOf([{ at: new Date(0), use }], workload, undefined)
  const share = series[0]?.share ?? null
  if (share === null) return null
  return {
    share,
    percent: `${Math.round(share * 100)} %`,
    all: series.map(({ label, now, of }) => `${label} ${now} ${of}`).join('; '),
  }
}

/** Whose use can be asked for at once, the first ones of the list: only what is up is measured. Pure. */
export function measuredIds(workloads: readonly WorkloadView[], most: number): string[] {
  const isUp = ({ state, placement }: WorkloadView) => placement !== null && (state === 'running' || state === 'paused')
  return workloads
    .filter(isUp)
    .slice(0, most)
    .map(({ id }) => id)
    .sort()
}
