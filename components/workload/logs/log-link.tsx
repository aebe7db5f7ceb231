import { ScrollText } from 'lucide-react'
import Link from 'next/link'
import { workloadPath } from '@/components/frame/routes'
import { buttonClass } from '@/components/ui/button'
import type { WorkloadView } from '@/domain/views'
import { logLabel, logOfReason } from './log-source'

/** The log that says why, one click away from the reason; nothing where none does. */
export function LogLink({ workload, size = 'sm' }: { workload: WorkloadView; size?: 'sm' | 'md' }) {
  const log = workload.state === 'failed' && workload.may.includes('workload.watch') ? logOfReason(workload) : null
  if (log === null) return null
  return (
    <Link href={`${workloadPath(workload.id)}?tab=logs&log=${log}`} className={buttonClass({ size })}>
      <ScrollText className="size-3.5 shrink-0 text-ink-2" aria-hidden />
      Read the log of its {logLabel(log, workload.kind).toLowerCase()}
    </Link>
  )
}
