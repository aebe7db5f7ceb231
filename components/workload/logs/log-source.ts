import type { Kind } from '@/domain/kinds'
import type { Reason, ReasonCode } from '@/domain/reasons'
import type { State } from '@/domain/states'

/** What a page can read of a run: its server's output, or that of its environment's build. */
export const LOG_SOURCES = ['output', 'build'] as const
export type LogSource = (typeof LOG_SOURCES)[number]

export const SOURCE_LABEL: Record<LogSource, string> = { output: 'Server', build: 'Build' }

/** A session prints to its terminal, which has a record of its own; all others have both logs. Pure. */
export function hasLogs(kind: Kind): boolean {
  return kind !== 'session'
}

/** Reasons that the build's log explains; the server's log explains the others. */
const BUILD: readonly ReasonCode[] = ['environment_failed', 'no_python', 'python_unusable', 'disk_full']
const SERVER: readonly ReasonCode[] = ['start_failed', 'process_ended', 'out_of_memory', 'mount_refused', 'attempts_spent']
const BUILD_STAGES: readonly unknown[] = ['environment', 'packages', 'kernel']

/** The log that says why, of a workload that failed; null where none does. Pure. */
export function logOfReason(workload: { kind: Kind; reason: Reason | null }): LogSource | null {
  const { kind, reason } = workload
  if (!hasLogs(kind) || reason === null) return null
  const { code, args } = reason
  if (BUILD.includes(code)) return 'build'
  if (code === 'start_failed' || code === 'start_stalled') return BUILD_STAGES.includes(args.stage) ? 'build' : 'output'
  return SERVER.includes(code) ? 'output' : null
}

/** The log that is worth reading first: while it is built or when its build failed, the build's. Pure. */
export function firstLog(workload: { kind: Kind; state: State; reason: Reason | null }): LogSource {
  if (workload.state === 'provisioning' || workload.state === 'queued') return 'build'
  return (workload.state === 'failed' ? logOfReason(workload) : null) ?? 'output'
}
