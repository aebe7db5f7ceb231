'use client'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { useWorkloadActions } from '@/components/workloads/use-workload-actions'
import type { WorkloadView } from '@/domain/views'

/** Asks before something that runs is ended to be started again. What went wrong is said by the action itself. */
export function RenewDialog({ workload, onClose }: { workload: WorkloadView; onClose: () => void }) {
  const actions = useWorkloadActions()
  const restart = async () => {
    if (await actions.restart(workload)) onClose()
  }
  return (
    <ConfirmDialog
      title={`Restart ${workload.name}?`}
      description="Every program in it ends, and it starts again in the same workspace. Its files and what it printed are kept."
      answers={[{ label: 'Restart', kind: 'destroy', onAnswer: () => void restart() }]}
      isBusy={actions.isBusy}
      refused={null}
      onClose={onClose}
    />
  )
}
