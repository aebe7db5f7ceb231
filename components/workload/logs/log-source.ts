import type { Kind } from '@/domain/kinds'
import type { Reason, ReasonCode } from '@/domain/reasons'
import type { State } from '@/domain/states'
import type { Progress } from '@/domain/workloads'

/** What a page can read of a run: its server's output, or that of its environment's build. */
export const LOG_SOURCES = ['output', 'build'] as const
export type LogSource = (typeof LOG_SOURCES)[number]

/** What a log is called. Nothing is built for a session: its log is that of its start. Pure. */
export function logLabel(source: LogSource, kind: Kind): string {
  if (source === 'output') return 'Server'
  return kind === 'session' ? 'Start' : 'Build'
}

type Failing = { kind: Kind; reason: Reason | null }
type Starting = { state: State; progress: Pick<Progress, 'stage'> | null }

/** The logs that there are to read. A session prints to its terminal, which has a record of its own; only a refused start leaves a log. Pure. */
export function logsOf(workload: Failing & { state: State }): readonly LogSource[] {
  if (workload.kind !== 'session') return LOG_SOURCES
  const why = workload.state === 'failed' ? logOfReason(workload) : null
  return why === null ? [] : [why]
}

/** Reasons that the build's log explains; the server's log explains the others. */
const BUILD: readonly ReasonCode[] = ['environment_failed', 'no_python', 'python_unusable', 'disk_full', 'mount_refused']
const SERVER: readonly ReasonCode[] = ['start_failed', 'process_ended', 'out_of_memory', 'attempts_spent']
const OF_A_SESSION: readonly ReasonCode[] = ['start_failed', 'mount_refused']
const BUILD_STAGES: readonly unknown[] = ['environment', 'packages', 'kernel']

/** The log that says why, of a workload that failed; null where none does. Pure. */
export function logOfReason({ kind, reason }: Failing): LogSource | null {
  if (reason === null) return null
  const { code, args } = reason
  if (kind === 'session') return OF_A_SESSION.includes(code) ? 'build' : null
  if (BUILD.includes(code)) return 'build'
  if (code === 'start_failed' || code === 'start_stalled') return BUILD_STAGES.includes(args.stage) ? 'build' : 'output'
  return SERVER.includes(code) ? 'output' : null
}

/** The log that is worth reading first: while it is built or when its build failed, the build's. Pure. */
export function firstLog(workload: Starting & Failing): LogSource {
  if (isComing(workload)) return workload.progress?.stage === 'starting' ? 'output' : 'build'
  return (workload.state === 'failed' ? logOfReason(workload) : null) ?? 'output'
}

/** Can its machine have this log yet? Before that there is nothing to ask for. Pure. */
export function mayHaveBegun(workload: Starting & { workloadGen: number }, source: LogSource): boolean {
  if (workload.state === 'queued') return workload.workloadGen > 0
  if (workload.state !== 'provisioning') return true
  const stage = workload.progress?.stage ?? 'creating'
  return stage === 'starting' || (source === 'build' && BUILD_STAGES.includes(stage))
}

function isComing({ state }: Starting): boolean {
  return state === 'provisioning' || state === 'queued'
}
