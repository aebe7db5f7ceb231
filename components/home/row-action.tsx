'use client'
import { workloadPath } from '@/components/frame/routes'
import { Button, buttonClass } from '@/components/ui/button'
import { Link } from '@/components/ui/link'
import { availability } from '@/components/workloads/actions'
import { OpenLink } from '@/components/workloads/open-link'
import { useWorkloadActions } from '@/components/workloads/use-workload-actions'
import type { State } from '@/domain/states'
import type { WorkloadView } from '@/domain/views'

const LOOKS: Partial<Record<State, string>> = { queued: 'Why', failed: 'Fix', lost: 'Fix' }

/** The one action that fits the state: open it, see why it waits, fix it, or go on. */
export function RowAction({ workload }: { workload: WorkloadView }) {
  const look = buttonClass({ size: 'xs' }, 'max-md:min-w-17')
  const page = workloadPath(workload.id)
  if (availability('open', workload).can) {
    return (
      <OpenLink workload={workload} className={look}>
        Open
      </OpenLink>
    )
  }
  if (availability('resume', workload).can) return <Resume workload={workload} />
  const word = LOOKS[workload.state] ?? 'Look'
  return (
    <Link href={page} className={look} aria-label={`${word}: ${workload.name}`}>
      {word}
    </Link>
  )
}

function Resume({ workload }: { workload: WorkloadView }) {
  const actions = useWorkloadActions()
  return (
    <Button
      size="xs"
      className="max-md:min-w-17"
      isBusy={actions.isBusy}
      onClick={() => void actions.resume(workload)}
      aria-label={`Resume ${workload.name}`}
    >
      Resume
    </Button>
  )
}
