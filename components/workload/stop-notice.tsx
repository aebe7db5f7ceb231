'use client'
import dynamic from 'next/dynamic'
import type { WorkloadView } from '@/domain/views'

const StopBanner = dynamic(() => import('./stop-banner').then((m) => m.StopBanner), { loading: () => null })

/** Nothing for what no rule stops: the rest is fetched with the first that a rule does. */
export function StopNotice({ workload, className }: { workload: WorkloadView; className?: string }) {
  return workload.stopAt === null ? null : <StopBanner workload={workload} className={className} />
}
