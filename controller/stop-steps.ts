import { because, type Reason } from '@/domain/reasons'
import { PARKED_AFTER_NAMES } from '@/domain/reasons-of-moves'
import type { Stop, Workload } from '@/domain/workloads'
import type { Facts, WorkloadFact } from './facts'
import type { Step } from './step'
import { planStop } from './stops'

/** What ends by itself: only of what its machine shows as up, since silence is no idleness. Pure. */
export function planStops({ workloads, now, warningsMissing }: Facts): Step[] {
  return workloads.flatMap((fact): Step[] => {
    const { workload } = fact
    if (!isUp(fact)) return []
    const decision = planStop(workload, now, warningsMissing.get(workload.id) ?? Number.POSITIVE_INFINITY)
    if (decision.kind === 'none') return []
    if (decision.kind === 'park') return [{ kind: 'park_for', workload, reason: PARKED[decision.stopWhy](workload) }]
    if (decision.kind === 'cancel') return [callOff(workload)]
    const { stopAt, stopWhy, isTold } = decision
    const minutes = Math.max(1, Math.round((stopAt.getTime() - now.getTime()) / 60_000))
    const reason = because('stop_soon', { minutes, why: WHY[stopWhy] })
    return [{ kind: 'plan_stop', workload, stopAt, stopWhy, isTold, reason }]
  })
}

/** Its warning was told, so its end is. */
function callOff(workload: Workload): Step {
  const { lastOpenedAt, lastBusyAt } = workload
  const isOpened = lastOpenedAt !== null && (lastBusyAt === null || lastOpenedAt > lastBusyAt)
  const reason = because('stop_called_off', { why: isOpened ? 'somebody opened it' : 'something happens inside' })
  return { kind: 'plan_stop', workload, stopAt: null, stopWhy: null, isTold: true, reason }
}

function isUp({ workload, observation }: WorkloadFact): boolean {
  const isShownUp = observation?.status === 'running' || observation?.status === 'paused'
  return isShownUp && (workload.state === 'running' || workload.state === 'paused') && workload.placement !== null
}

const WHY: Record<Stop, string> = {
  idle: 'nothing happens inside',
  limit: 'its time limit is near',
  schedule: 'its schedule says so',
}

const PARKED: Record<Stop, (w: Workload) => Reason> = {
  idle: (w) => because('parked_idle', { minutes: w.settings.idleMinutes ?? 0 }),
  limit: (w) => because('parked_limit', { minutes: w.settings.limitMinutes ?? 0 }),
  schedule: () => because('parked_schedule', {}),
}

/** Why a parked workload is parked: what it was asked to stop for, or that it stopped. Pure. */
export function parkedAfter(asked: Reason | null): Reason {
  const after = PARKED_AFTER_NAMES.find((code) => code === asked?.code)
  if (!after || !asked) return because('parked', {})
  const { person, minutes } = asked.args
  return because('parked', {
    after,
    ...(typeof person === 'string' && { person }),
    ...(typeof minutes === 'number' && { minutes }),
  })
}
