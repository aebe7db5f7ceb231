import type { Observation, PlacedWorkload } from '@/backends/backend'
import { KINDS } from '@/domain/kinds'
import { LIMITS } from '@/domain/limits'
import { lookEnd } from '@/domain/look'
import type { Machine } from '@/domain/machines'
import { because, type Reason } from '@/domain/reasons'
import type { State } from '@/domain/states'
import { isNewProgress, type Placement, type Workload } from '@/domain/workloads'
import type { Facts, WorkloadFact } from './facts'
import { instanceOf } from './facts'
import { failureReason, leavesNothing } from './failures'
import { planPlacement } from './placement'
import { leavesMachinesAlone } from './quarantine'
import type { SettledState, Settlement, Step } from './step'
import { parkedAfter, planStops } from './stop-steps'
import { planStray } from './strays'

/** Pure: the same facts give the same steps. Each step says why. Silence of a machine is never proof of anything. */
export function plan(facts: Facts): Step[] {
  const steps = [
    ...facts.workloads.flatMap((fact) => RULES[fact.workload.state](fact, facts)),
    ...facts.strays.flatMap(planStray),
    ...planPlacement(facts),
    ...planStops(facts),
  ]
  return actsFirst(facts.isQuarantined ? steps.filter(leavesMachinesAlone) : steps)
}

/** Many that wait must not hold up what is done for others: why they wait is kept once that has begun. */
function actsFirst(steps: readonly Step[]): Step[] {
  return [...steps.filter((step) => step.kind !== 'wait'), ...steps.filter((step) => step.kind === 'wait')]
}

type Time = Pick<Facts, 'now' | 'ageMs'>
type Rule = (fact: WorkloadFact, time: Time) => Step[]
type Seen = { w: PlacedWorkload; o: Observation; machine: string; fact: WorkloadFact; time: Time }

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
  return (fact, time) => {
    const { workload, observation } = fact
    const { placement } = workload
    if (!placement || !observation || observation.status === 'unknown') return []
    return rule({ w: { ...workload, placement }, o: observation, machine: placement.machineName, fact, time })
  }
}

function planProvisioning(s: Seen): Step[] {
  const { w, o, machine } = s
  if (o.status === 'running' || o.status === 'paused')
    return [settle(w, 'running', { reason: because('started', {}), hasWorkspace: o.hasWorkspace })]
  if (o.status === 'failed') return planFailedStart(s)
  if (o.status === 'starting') return [...progressSteps(s), ...stallSteps(s)]
  if (isOver(o) && o.acked === null) return [{ kind: 'start', workload: w, reason: because('placed', { machine }) }]
  if (o.status === 'stopped' && !o.hasWorkspace && w.workspaceMachineId !== null) return [workspaceGone(s)]
  if (isEndedWithBerth(o)) return tryAgain(s, because('ended_with_berth', { machine }))
  if (isOver(o)) return tryAgain(s, because('retry_vanished', { machine, attempt: w.attempts + 1 }))
  return []
}

function workspaceGone({ w, machine }: Seen): Step {
  return settle(w, 'lost', { reason: because('workspace_gone', { machine }), isWorkspaceGone: true })
}

function planFailedStart(s: Seen): Step[] {
  const { w, o, machine } = s
  if (o.code === 'no_capacity') return tryAgain(s, because('retry_capacity', { machine, attempt: w.attempts + 1 }))
  if (o.code === 'workspace_missing') return [workspaceGone(s)]
  const reason = failureReason(o, { machine, command: w.spec.command, stage: w.progress?.stage ?? null })
  return [settle(w, 'failed', { reason, isReleased: leavesNothing(o.code), ...lastWords(o) })]
}

/** Back to the queue with the attempt counted, until they are spent. */
function tryAgain({ w, time }: Seen, reason: Reason): Step[] {
  const attempts = w.attempts + 1
  if (attempts >= LIMITS.startAttempts)
    return [settle(w, 'failed', { reason: because('attempts_spent', { attempts }), isReleased: true })]
  return [{ kind: 'retry', workload: w, nextTryAt: after(time.now, 2 ** attempts), reason }]
}

/** running and paused: what the machine says is adopted. */
function planUp(s: Seen): Step[] {
  const { w, o, machine } = s
  if (isEndedWithBerth(o)) return [startedAnew(w, because('ended_with_berth', { machine }))]
  if (isOver(o) && isRebooted(s)) return [startedAnew(w, because('machine_rebooted', { machine }))]
  if (isOver(o)) return [settle(w, 'lost', { reason: because('machine_lost_it', { machine }), hasWorkspace: o.hasWorkspace })]
  if (o.status === 'failed') return planBroken(s)
  if (o.status === 'paused' && w.state === 'running') return [settle(w, 'paused', { reason: because('frozen', {}) })]
  if (o.status === 'running' && w.state === 'paused') return [settle(w, 'running', { reason: because('thawed', {}) })]
  return [...freezeSteps(w), ...exitSteps(s)]
}

/** A person asked for it to be frozen or thawed, and its machine has not done it yet. */
function freezeSteps(w: PlacedWorkload): Step[] {
  const instance = instanceOf(w.placement)
  if (w.state === 'running' && w.placement.want === 'pause')
    return [{ kind: 'freeze', instance, how: 'pause', reason: because('frozen', {}) }]
  if (w.state === 'paused' && w.placement.want === 'run')
    return [{ kind: 'freeze', instance, how: 'resume', reason: because('thawed', {}) }]
  return []
}

/**
 * Is it gone because its machine was started anew since, with its files still there? An instance that a machine does not
 * list says nothing of its files: then the store's word for where they are counts, and a start that misses them says so.
 */
function isRebooted({ w, o }: Seen): boolean {
  const { bootId, machineId } = w.placement
  // The boot of an older start was not kept: what is stopped with its files there, and nobody asked, was ended by a restart.
  const isNewBoot = bootId === null ? o.status === 'stopped' : o.bootId !== null && o.bootId !== bootId
  return isNewBoot && (o.hasWorkspace || (o.status === 'absent' && w.workspaceMachineId === machineId))
}

/** It broke while it was up. What was frozen is stopped in order, since a frozen one cannot fail. */
function planBroken({ w, o, machine }: Seen): Step[] {
  const reason = failureReason(o, { machine, command: w.spec.command, stage: null })
  return [w.state === 'paused' ? settle(w, 'parking', { reason }) : settle(w, 'failed', { reason, ...lastWords(o) })]
}

/** A person stopped all of Berth there: it ended in order, though nobody parked it. */
function isEndedWithBerth(o: Observation): boolean {
  return o.status === 'stopped' && o.code === 'ended_with_berth' && o.hasWorkspace
}

/** Its machine, or Berth on it, was started anew, and its files are there. Then its own policy. */
function startedAnew(w: PlacedWorkload, reason: Reason): Step {
  const policy = w.spec.rebootPolicy ?? KINDS[w.kind].rebootPolicy
  return { kind: 'reboot', workload: w, isResumed: policy === 'resume', reason }
}

function planParking(s: Seen): Step[] {
  const { w, o, machine, time } = s
  const { hasWorkspace } = o
  const isEnded = o.status === 'stopped' || (isOver(o) && (hasWorkspace || o.acked === 'destroy' || isRebooted(s)))
  // Whoever parks it wants it parked: the policy for a restart of its machine does not start it again.
  if (isEnded) return [settle(w, 'parked', { reason: parkedReason(s), hasWorkspace })]
  if (isOver(o)) return [settle(w, 'lost', { reason: because('machine_lost_it', { machine }) })]
  if (isOlder(w.stateSince, LIMITS.parkSeconds, time))
    return [end(w, 'destroy', because('park_forced', { seconds: LIMITS.parkSeconds }))]
  return o.acked === 'park' && o.status === 'stopping' ? [] : [end(w, 'park', because('parked', {}))]
}

function parkedReason(s: Seen): Reason {
  const { w, o, machine } = s
  if (o.acked === 'destroy') return because('park_forced', { seconds: LIMITS.parkSeconds })
  if (o.code === 'stop_forced') return because('park_forced', { seconds: LIMITS.stopGraceSeconds })
  const isByRestart = w.placement.bootId !== null && isRebooted(s)
  return isByRestart ? because('machine_rebooted', { machine }) : parkedAfter(w.reason)
}

/** removing: gone when its machine says so, or when the machine is away for good measure; what is left is ended later. */
function planRemoving(fact: WorkloadFact, time: Time): Step[] {
  const { workload, observation: o, machine } = fact
  const { placement } = workload
  if (!placement || !machine) return [settle(workload, 'removed', { reason: because('removed', {}) })]
  const isAway = !machine.isConnected && isOlder(machine.lastContactAt ?? workload.stateSince, LIMITS.machineSilentSeconds, time)
  if (isAway) return [settle(workload, 'removed', { reason: because('removed_later', { machine: machine.name }) })]
  if (hasLostDriver(machine, placement))
    return [settle(workload, 'removed', { reason: because('removed_without_driver', { machine: machine.name }) })]
  if (!o || o.status === 'unknown') return []
  const isRemoved = (o.status === 'removed' || o.status === 'absent') && o.acked === 'remove'
  if (isRemoved) return [settle(workload, 'removed', { reason: because('removed', {}) })]
  const isUnderWay = o.acked === 'remove' && !isOlder(workload.stateSince, LIMITS.parkSeconds, time)
  return isUnderWay ? [] : [end({ ...workload, placement }, 'remove', because('removed', {}))]
}

/** A machine that does not even name the driver of an instance can do nothing with it; what is left is ended when it can. */
function hasLostDriver({ isConnected, inventory }: Machine, { driver }: Placement): boolean {
  return isConnected && inventory !== null && !inventory.drivers.some((offer) => offer.row === driver)
}

/** failed: kept for a look, then ended; at once when nothing of it runs that one could look at. */
function planFailed({ w, o, time }: Seen): Step[] {
  if (isOver(o) || o.isGone) return [{ kind: 'end_look', workload: w, reason: because('look_gone', {}) }]
  const end = lookEnd(w)
  if (!isOlder(end, 0, time)) return []
  const minutes = Math.round((end.getTime() - w.stateSince.getTime()) / 60_000)
  return [{ kind: 'end_look', workload: w, reason: because('look_ended', { minutes }) }]
}

function progressSteps({ w, o }: Seen): Step[] {
  const { progress } = o
  if (!progress || !isNewProgress(progress, w.progress)) return []
  const detail = progress.detail === null ? {} : { detail: progress.detail.slice(0, 100) }
  const reason = because('stage', { stage: progress.stage, ...detail })
  return [{ kind: 'progress', workload: w, progress, reason }]
}

function stallSteps({ w, o, fact, time }: Seen): Step[] {
  const hasMoved = o.progress !== null && isNewProgress(o.progress, w.progress)
  if (hasMoved || !isOlder(fact.progressAt, LIMITS.startStallSeconds, time)) return []
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

/** Older by time that passed: a clock that was set ends nothing. */
function isOlder(since: Date, seconds: number, { ageMs }: Time): boolean {
  return ageMs(since) >= seconds * 1000
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
