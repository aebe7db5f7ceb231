import { RotateCw } from 'lucide-react'
import { Button } from '@/components/ui/button'
import type { WorkloadView } from '@/domain/views'
import { ACTIONS, availability, STARTS } from './actions'
import type { WorkloadActions } from './use-workload-actions'

type Props = { workload: WorkloadView; actions: WorkloadActions; isPrimary?: boolean }

/** What brings a workload up again, as far as its state and this person allow. */
export function StartButtons({ workload, actions, isPrimary = true }: Props) {
  return STARTS.filter((action) => availability(action, workload).can).map((action) => (
    <Button
      key={action}
      kind={isPrimary ? 'primary' : 'secondary'}
      isBusy={actions.isBusy}
      onClick={() => void actions[action](workload)}
    >
      {actions.isBusy ? null : <RotateCw className="size-3.5 shrink-0" aria-hidden />}
      {ACTIONS[action].label}
    </Button>
  ))
}
