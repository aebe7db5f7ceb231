import { because } from '@/domain/reasons'
import type { Stray } from './facts'
import type { Step } from './step'

/**
 * What may run without being anybody's instance. What the store does not know at that generation is quarantined: it goes
 * on, and is never ended by itself; the hub keeps it for a person to decide. Pure.
 */
export function planStray({ instance, asked, workload }: Stray): Step[] {
  if (!asked?.isReleased || !asked.machine || asked.workloadGen !== instance.workloadGen) return []
  const machine = asked.machine.name
  const isLastOfLost = workload?.state === 'lost' && workload.workloadGen === instance.workloadGen
  const isWanted = asked.want === 'run' || asked.want === 'pause'
  const isUp = instance.status === 'running' || instance.status === 'paused' || instance.status === 'starting'
  if (workload && isLastOfLost && isWanted && isUp)
    return [{ kind: 'take_back', workload, reason: because('came_back', { machine }) }]
  const how = asked.want === 'remove' ? 'remove' : 'destroy'
  const { workloadId, placementId, workloadGen } = instance
  return [{ kind: 'end', instance: { workloadId, placementId, workloadGen }, how, reason: because('stray_ended', { machine }) }]
}
