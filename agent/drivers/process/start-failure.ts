import type { DesiredInstance } from '@/protocol/sync'
import { StartRefused } from '../deps'
import { EnvironmentRefused } from './environments/environment-refused'
import type { InstanceRecord } from './instance-record'

/** Throws for what this driver cannot run on its row. */
export function refuseUnrunnable(spec: DesiredInstance): void {
  const isRunnable = spec.kind === 'session' || (spec.kind === 'notebook' && spec.driver === 'process-sandboxed')
  if (!isRunnable) throw new StartRefused('driver_missing', 'this driver does not run that kind here')
}

/** The code of a start that broke; what else was said stays in the log. */
export function failureOf(error: unknown): Pick<InstanceRecord, 'code' | 'subject'> {
  if (error instanceof EnvironmentRefused) return { code: error.code, subject: error.subject }
  if (error instanceof StartRefused) return { code: error.code, subject: null }
  const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC'
  return { code: isFull ? 'disk_full' : 'start_failed', subject: null }
}
