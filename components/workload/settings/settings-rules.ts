import { limitOf } from '@/domain/issue-words'
import { AT_REST, isTerminal } from '@/domain/states'
import type { WorkloadView } from '@/domain/views'
import { type WorkloadSettings, workloadSettings } from '@/domain/workloads'

/** What is wrong with settings, by field, by the schema of the API. Pure. */
export function settingsErrors(settings: WorkloadSettings): Record<string, string> {
  const parsed = workloadSettings.safeParse(settings)
  if (parsed.success) return {}
  return Object.fromEntries(parsed.error.issues.map((issue) => [issue.path.join('.'), limitOf(issue)]))
}

/** Do two settings differ? Pure. */
export function hasChanged(before: WorkloadSettings, after: WorkloadSettings): boolean {
  const { idleMinutes, limitMinutes, parkAt } = before
  const isSameTime = parkAt?.cron === after.parkAt?.cron && parkAt?.timeZone === after.parkAt?.timeZone
  return idleMinutes !== after.idleMinutes || limitMinutes !== after.limitMinutes || !isSameTime
}

/** Why this person cannot change the settings of this workload now; null when they can. Pure. */
export function whyNotChange({ may, state }: Pick<WorkloadView, 'may' | 'state'>): string | null {
  if (isTerminal(state) || state === 'removing') return 'It has ended: nothing of it is changed any more.'
  if (!may.includes('workload.settings')) return 'Its owner, and whom they let manage it, can change this.'
  return null
}

/** Why this person cannot change the packages of this notebook now; null when they can. Pure. */
export function whyNotRepack({ may, state }: Pick<WorkloadView, 'may' | 'state'>): string | null {
  if (!may.includes('workload.packages')) return 'Its owner, and whom they let manage it, can change this.'
  if (!AT_REST.includes(state)) return 'Park it first: what it was started with stays while it runs.'
  return null
}
