import type { Observation } from '@/backends/backend'
import { because, type Reason, type ReasonArgs } from '@/domain/reasons'
import { requirement } from '@/domain/workloads'

/** Where it failed, and what its user asked it to run. */
type At = { machine: string; command: readonly string[] | null }
type Failed = Pick<Observation, 'code' | 'subject' | 'exitCode' | 'folderRefused'> & At & { stage: string }

/** The fixed reason of each code that a machine may give; its own words never get here. */
const REASONS: Record<Observation['code'], (f: Failed) => Reason> = {
  ok: (f) => because('start_failed', { stage: f.stage }),
  no_capacity: (f) => because('start_failed', { stage: f.stage }),
  driver_missing: (f) => because('driver_missing', { machine: f.machine }),
  workspace_missing: (f) => because('workspace_gone', { machine: f.machine }),
  no_python: () => because('no_python', {}),
  environment_failed: (f) => because('environment_failed', packageOf(f.subject)),
  start_failed: (f) => because('start_failed', { stage: f.stage }),
  command_missing: (f) => because('command_missing', programOf(f)),
  command_refused: (f) => because('command_refused', programOf(f)),
  process_ended: (f) => because('process_ended', { exitCode: f.exitCode ?? -1 }),
  out_of_memory: () => because('out_of_memory', {}),
  disk_full: () => because('disk_full', {}),
  mount_refused: (f) => because('mount_refused', folderOf(f)),
  python_unusable: () => because('python_unusable', {}),
  ended_with_berth: (f) => because('ended_with_berth', { machine: f.machine }),
  stop_forced: (f) => because('process_ended', { exitCode: f.exitCode ?? -1 }),
}

/** More of a program's name is not repeated. */
const NAME_CHARS = 100

/** Failures before anything was started: nothing stands that one could look at. */
const NOTHING_STANDS: Record<Observation['code'], boolean> = {
  ok: false,
  no_capacity: true,
  driver_missing: true,
  workspace_missing: true,
  no_python: true,
  environment_failed: true,
  start_failed: false,
  command_missing: true,
  command_refused: true,
  process_ended: false,
  out_of_memory: false,
  disk_full: false,
  stop_forced: false,
  ended_with_berth: true,
  mount_refused: true,
  python_unusable: true,
}

/** Does nothing of it run after this failure? Then its capacity is free at once. */
export function leavesNothing(code: Observation['code']): boolean {
  return NOTHING_STANDS[code]
}

/** Why a workload failed, from what its machine says of it. */
export function failureReason(o: Observation, at: At & { stage: string | null }): Reason {
  return REASONS[o.code]({ ...o, ...at, stage: o.progress?.stage ?? at.stage ?? 'starting' })
}

/** A machine of another version may say less. */
function folderOf({ subject, folderRefused }: Failed): ReasonArgs<'mount_refused'> {
  if (subject === null) return {}
  if (!folderRefused) return { folder: subject }
  const { cause, uid } = folderRefused
  return uid === null ? { folder: subject, cause } : { folder: subject, cause, uid }
}

/** As its user wrote it, whatever a machine calls it. */
function programOf({ command }: Failed): { command?: string } {
  const name = command?.[0]?.replace(/\p{C}/gu, ' ').trim()
  return name ? { command: name.length > NAME_CHARS ? `${name.slice(0, NAME_CHARS - 1)}…` : name } : {}
}

/** What a machine names as the package must be one; anything else is not repeated. */
function packageOf(subject: string | null): { package?: string } {
  const name = subject === null ? null : requirement.safeParse(subject)
  return name?.success && name.data.length <= 100 ? { package: name.data } : {}
}
