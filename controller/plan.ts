import { isDeepStrictEqual } from 'node:util'
import type { Observation, PlacedWorkload } from '@/backends/backend'
import { KINDS } from '@/domain/kinds'
import { LIMITS } from '@/domain/limits'
import { because, type Reason } from '@/domain/reasons'
import type { State } from '@/domain/states'
import type { Workload } from '@/domain/workloads'
import type { Facts, Stray, WorkloadFact } from './facts'
import { instanceOf } from './facts'
import { failureReason } from './failures'
import { planPlacement } from './placement'
import type { SettledState, Settlement, Step } from './step'

/** Pure: the same facts give the same steps. Each step says why. Silence of a machine is never proof of anything. */
export function plan(facts: Facts): Step[] {
  return [
    ...facts.workloads.flatMap((fact) => RULES[fact.workload.state](fact, facts.now)),
    ...facts.strays.flatMap(planStray),
    ...planPlacement(facts),
  ]
}

type Rule = (fact: WorkloadFact, now: Date) => Step[]
type Seen = { w: PlacedWorkload; o: Observation; machine: string; fact: WorkloadFact; now: Date }

/** The reconcile table, a row per state. `queued` is placement's; a resting or terminal one has nothing to do. */
const RULES: Record<State, Rule> = {
  queued: () => [],
  provisioning: seen(planProvisioning),
  running: seen(planUp),
  paused: seen(planUp),
  parking: seen(planParking),
  parked: () => [],
  removing: planRemoving,
  failed: seen(planFailed),
  // A lost one that is listed after all is a stray of its last placement.
  lost: () => [],
  removed: () => [],
  canceled: () => [],
}

/** Runs a rule only on what its machine says now. */
function seen(rule: (s: Seen) => Step[]): Rule {
  return (fact, now) => {
    const { workload, observation } = fact
    const { placement } = workload
    if (!placement || !observation || observation.status === 'unknown') return []
    return rule({ w: { ...workload, placement }, o: observation, machine: placement.machineName, fact, now })
  }
}

function planProvisioning(s: Seen): Step[] {
  const { w, o, machine } = s
  if (o.status === 'running' || o.status === 'paused')
    return [settle(w, 'running', { reason: because('started', {}), hasWorkspace: o.hasWorkspace })]
  if (o.status === 'failed') return planFailedStart(s)
  if (o.status === 'starting') return [...progressSteps(s), ...stallSteps(s)]
  if (isOver(o) && o.acked === null) return [{ kind: 'start', workload: w, reason: because('placed', { machine }) }]
  if (isOver(o)) return tryAgain(s, because('retry_vanished', { machine, attempt: w.attempts + 1 }))
  return []
}

function planFailedStart(s: Seen): Step[] {
  const { w, o, machine } = s
  if (o.code === 'no_capacity') return tryAgain(s, because('retry_capacity', { machine, attempt: w.attempts + 1 }))
  if (o.code === 'workspace_missing')
    return [settle(w, 'lost', { reason: because('workspace_gone', { machine }), isWorkspaceGone: true })]
  return [settle(w, 'failed', { reason: failureReason(o, { machine, stage: w.progress?.stage ?? null }), ...lastWords(o) })]
}

/** Back to the queue with the attempt counted, until they are spent. */
function tryAgain({ w, now }: Seen, reason: Reason): Step[] {
  const attempts = w.attempts + 1
  if (attempts >= LIMITS.startAttempts)
    return [settle(w, 'failed', { reason: because('attempts_spent', { attempts }), isReleased: true })]
  return [{ kind: 'retry', workload: w, nextTryAt: after(now, 2 ** attempts), reason }]
}

/** running and paused: what the machine says is adopted. */
function planUp(s: Seen): Step[] {
  const { w, o, machine } = s
  if (o.status === 'stopped' && o.hasWorkspace) return [rebooted(w)]
  if (isOver(o)) return [settle(w, 'lost', { reason: because('machine_lost_it', { machine }), hasWorkspace: o.hasWorkspace })]
  if (o.status === 'failed') return planBroken(s)
  if (o.status === 'paused' && w.state === 'running') return [settle(w, 'paused', { reason: because('frozen', {}) })]
  if (o.status === 'running' && w.state === 'paused') return [settle(w, 'running', { reason: because('thawed', {}) })]
  return exitSteps(s)
}

/** It broke while it was up. What was frozen is stopped in order, since a frozen one cannot fail. */
function planBroken({ w, o, machine }: Seen): Step[] {
  const reason = failureReason(o, { machine, stage: null })
  return [w.state === 'paused' ? settle(w, 'parking', { reason }) : settle(w, 'failed', { reason, ...lastWords(o) })]
}

/** It is stopped, its files are there, and nobody asked: its machine was restarted. Then its own policy. */
function rebooted(w: PlacedWorkload): Step {
  const policy = w.spec.rebootPolicy ?? KINDS[w.kind].rebootPolicy
  const reason = because('machine_rebooted', { machine: w.placement.machineName })
  return { kind: 'reboot', workload: w, isResumed: policy === 'resume', reason }
}

function planParking({ w, o, machine, now }: Seen): Step[] {
  const isForced = o.acked === 'destroy' || o.code === 'stop_forced'
  const reason = isForced ? because('park_forced', { seconds: LIMITS.parkSeconds }) : because('parked', {})
  const { hasWorkspace } = o
  const isEnded = o.status === 'stopped' || (isOver(o) && (hasWorkspace || o.acked === 'destroy'))
  if (isEnded) return [settle(w, 'parked', { reason, hasWorkspace })]
  if (isOver(o)) return [settle(w, 'lost', { reason: because('machine_lost_it', { machine }) })]
  if (isOlder(w.stateSince, LIMITS.parkSeconds, now))
    return [end(w, 'destroy', because('park_forced', { seconds: LIMITS.parkSeconds }))]
  return o.acked === 'park' && o.status === 'stopping' ? [] : [end(w, 'park', because('parked', {}))]
}

/** removing: gone when its machine says so, or when the machine is away for good measure; what is left is ended later. */
function planRemoving(fact: WorkloadFact, now: Date): Step[] {
  const { workload, observation: o, machine } = fact
  const { placement } = workload
  if (!placement || !machine) return [settle(workload, 'removed', { reason: because('removed', {}) })]
  const isAway = !machine.isConnected && isOlder(machine.lastContactAt ?? workload.stateSince, LIMITS.machineSilentSeconds, now)
  if (isAway) return [settle(workload, 'removed', { reason: because('removed_later', { machine: machine.name }) })]
  if (!o || o.status === 'unknown') return []
  const isRemoved = (o.status === 'removed' || o.status === 'absent') && o.acked === 'remove'
  if (isRemoved) return [settle(workload, 'removed', { reason: because('removed', {}) })]
  const isUnderWay = o.acked === 'remove' && !isOlder(workload.stateSince, LIMITS.parkSeconds, now)
  return isUnderWay ? [] : [end({ ...workload, placement }, 'remove', because('removed', {}))]
}

/** failed: kept for a look, then ended. */
function planFailed({ w, o, now }: Seen): Step[] {
  if (isOver(o)) return [{ kind: 'end_look', workload: w, reason: because('look_gone', {}) }]
  if (!isOlder(w.stateSince, LIMITS.lookMinutes * 60, now)) return []
  return [{ kind: 'end_look', workload: w, reason: because('look_ended', { minutes: LIMITS.lookMinutes }) }]
}

/** What may run without being anybody's instance. Unknown to the store: quarantine, never ended by itself. */
function planStray({ instance, asked, workload }: Stray): Step[] {
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

function progressSteps({ w, o }: Seen): Step[] {
  const { progress } = o
  if (!progress || isDeepStrictEqual(progress, w.progress)) return []
  const isNewStage = progress.stage !== w.progress?.stage
  const detail = progress.detail === null ? {} : { detail: progress.detail.slice(0, 100) }
  const reason = because('stage', { stage: progress.stage, ...detail })
  return [{ kind: 'progress', workload: w, progress, isNewStage, reason }]
}

function stallSteps({ w, o, fact, now }: Seen): Step[] {
  const hasMoved = o.progress !== null && !isDeepStrictEqual(o.progress, w.progress)
  if (hasMoved || !isOlder(fact.progressAt, LIMITS.startStallSeconds, now)) return []
  const stage = o.progress?.stage ?? w.progress?.stage ?? 'creating'
  return [settle(w, 'failed', { reason: because('start_stalled', { seconds: LIMITS.startStallSeconds, stage }) })]
}

/** State and process are two facts: a main process that ended does not end its workload. */
function exitSteps({ w, o }: Seen): Step[] {
  if (o.exitCode === null || o.exitCode === w.exitCode) return []
  return [{ kind: 'exit', workload: w, exitCode: o.exitCode, reason: because('stage_ended', {}) }]
}

function isOver(o: Observation): boolean {
  return o.status === 'absent' || o.status === 'removed' || o.status === 'stopped'
}

function isOlder(since: Date, seconds: number, now: Date): boolean {
  return now.getTime() - since.getTime() >= seconds * 1000
}

function after(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000)
}

function lastWords(o: Observation): Partial<Settlement> {
  return { hasWorkspace: o.hasWorkspace, ...(o.exitCode === null ? {} : { exitCode: o.exitCode }) }
}

function end(w: PlacedWorkload, how: 'park' | 'destroy' | 'remove', reason: Reason): Step {
  return { kind: 'end', instance: instanceOf(w.placement), how, reason }
}

function settle(workload: Workload, to: SettledState, why: Omit<Settlement, 'kind' | 'workload' | 'to'>): Settlement {
  return { ...why, kind: 'settle', workload, to }
}
