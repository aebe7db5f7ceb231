import { stateLook } from '@/components/frame/state-look'
import { Status, StatusPill } from '@/components/ui/status'
import type { Reason } from '@/domain/reasons'
import type { State } from '@/domain/states'

type Props = { workload: { state: State; reason: Reason | null } }

/** The state of a workload in a row. A waiting one says what it waits for. */
export function StateBadge({ workload }: Props) {
  const look = stateLook(workload)
  return (
    <Status icon={look.icon} tone={look.tone} isMoving={look.isMoving}>
      {look.word}
    </Status>
  )
}

/** The same in a page header, on its soft ground. */
export function StatePill({ workload }: Props) {
  const look = stateLook(workload)
  return (
    <StatusPill icon={look.icon} tone={look.tone} isMoving={look.isMoving}>
      {look.word}
    </StatusPill>
  )
}
