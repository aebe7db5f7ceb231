import type { PlacedWorkload } from '@/backends/backend'
import type { Instance } from '@/domain/ids'
import type { Reason } from '@/domain/reasons'
import type { Progress, Stop, Workload } from '@/domain/workloads'

/** One thing to do for one workload, and why. Executors may run each twice. */
export type Step =
  | { kind: 'place'; workload: Workload; machineId: string; reason: Reason }
  | { kind: 'wait'; workload: Workload; reason: Reason }
  | { kind: 'start'; workload: PlacedWorkload; reason: Reason }
  | { kind: 'freeze'; instance: Instance; how: 'pause' | 'resume'; reason: Reason }
  | { kind: 'end'; instance: Instance; how: 'park' | 'destroy' | 'remove'; reason: Reason }
  | Settlement
  | { kind: 'retry'; workload: Workload; nextTryAt: Date; reason: Reason }
  | { kind: 'reboot'; workload: Workload; isResumed: boolean; reason: Reason }
  | { kind: 'progress'; workload: PlacedWorkload; progress: Progress; reason: Reason }
  | { kind: 'exit'; workload: PlacedWorkload; exitCode: number; reason: Reason }
  | { kind: 'end_look'; workload: Workload; reason: Reason }
  | { kind: 'take_back'; workload: Workload; reason: Reason }
  | { kind: 'plan_stop'; workload: Workload; stopAt: Date | null; stopWhy: Stop | null; isTold: boolean; reason: Reason }
  | { kind: 'park_for'; workload: Workload; reason: Reason }

/** A move of a workload because of what its machine says, or of time that passed. */
export type Settlement = {
  kind: 'settle'
  workload: Workload
  to: SettledState
  reason: Reason
  /** failed: nothing is left to look at, the capacity is free at once. */
  isReleased?: boolean
  hasWorkspace?: boolean
  isWorkspaceGone?: boolean
  exitCode?: number
}
export type SettledState = 'running' | 'paused' | 'parking' | 'parked' | 'failed' | 'lost' | 'removed'

/** Steps with the same key are the same work: it runs once at a time and is retried with backoff. */
export function stepKey(step: Step): string {
  if (step.kind === 'end') return `end ${step.how} ${step.instance.placementId}`
  if (step.kind === 'freeze') return `${step.how} ${step.instance.placementId}`
  if (step.kind === 'settle') return `to ${step.to} ${step.workload.id} ${step.workload.version}`
  return `${step.kind} ${step.workload.id} ${step.workload.placement?.id ?? ''}`
}

/** The workload that a step is for. */
export function workloadIdOf(step: Step): string {
  return step.kind === 'end' || step.kind === 'freeze' ? step.instance.workloadId : step.workload.id
}
