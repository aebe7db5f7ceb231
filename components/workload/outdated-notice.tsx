'use client'
import dynamic from 'next/dynamic'
import type { WorkloadView } from '@/domain/views'

const OutdatedBanner = dynamic(() => import('./outdated-banner').then((m) => m.OutdatedBanner), { loading: () => null })

/** Nothing for almost everything that runs: the rest is fetched with the first that is outdated. */
export function OutdatedNotice({ workload, className }: { workload: WorkloadView; className?: string }) {
  const isOutdated = workload.state === 'running' && workload.placement?.needsRestart === true
  return isOutdated ? <OutdatedBanner workload={workload} className={className} /> : null
}
