import { ScrollText } from 'lucide-react'
import { workloadPath } from '@/components/frame/routes'
import { buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import type { WorkloadView } from '@/domain/views'

/** What a session printed, of one that stands still: its record is kept beside its workspace. */
export function RecordLink({ workload }: { workload: WorkloadView }) {
  if (!hasRecord(workload)) return null
  return (
    <Link href={`${workloadPath(workload.id)}/terminal?panel=record`} className={buttonClass({ size: 'sm' })}>
      <ScrollText className="size-3.5 shrink-0 text-ink-2" aria-hidden />
      Read what it printed
    </Link>
  )
}

/** Has it printed something that this person may read, and that is not erased with it? Pure. */
export function hasRecord({ kind, state, workloadGen, may }: WorkloadView): boolean {
  return kind === 'session' && workloadGen > 0 && state !== 'removed' && may.includes('workload.watch')
}
