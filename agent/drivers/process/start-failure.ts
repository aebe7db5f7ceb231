import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LIMITS } from '@/domain/limits'
import type { DesiredInstance } from '@/protocol/sync'
import type { StartFault } from '@/protocol/terminal'
import { programOf } from '../../host/besides'
import type { HostLaunch } from '../../host/host-launch'
import { segmentName } from '../../host/segment-log'
import { lookForProgram } from '../../host/start-fault'
import { isDiskFullError } from '../../json-file'
import { StartRefused } from '../deps'
import type { InstanceRecord } from './instance-record'

const WORDS_CHARS_MAX = 500

/** Throws for what this driver cannot run. */
export function refuseUnrunnable(spec: DesiredInstance): void {
  if (spec.kind !== 'session' && spec.kind !== 'notebook')
    throw new StartRefused('driver_missing', 'this driver does not run that kind here')
}

/** Throws for a program that is not there, or no program, on a machine without a sandbox: a terminal would run nothing. */
export async function refuseNoProgram(launch: HostLaunch): Promise<void> {
  const name = programOf(launch)
  const look = await lookForProgram(launch, name)
  if (look !== null && look !== 'ok') throw noProgram(look, name)
}

/** Why a start ends whose program never began. */
export function noProgram(fault: StartFault, name: string): StartRefused {
  const subject = name.slice(0, LIMITS.pathChars)
  return new StartRefused(fault, `${NO_PROGRAM[fault]}: ${subject.replace(/\p{C}/gu, ' ')}`, { subject })
}

const NO_PROGRAM: Record<StartFault, string> = {
  command_missing: 'there is no program of that name where it would run',
  command_refused: 'what has that name cannot be executed',
}

/** The code of a start that broke; what else was said stays in the logs. */
export function failureOf(error: unknown): Pick<InstanceRecord, 'code' | 'subject' | 'folderRefused'> {
  if (error instanceof StartRefused) {
    const { code, subject, folderRefused } = error
    return { code, subject, ...(folderRefused ? { folderRefused } : {}) }
  }
  return { code: isDiskFullError(error) ? 'disk_full' : 'start_failed', subject: null }
}

/** Writes why a start was refused, and what helps, where the workload's owner reads: at the end of its build log. */
export function noteRefusal(buildLog: string, error: unknown): void {
  if (!(error instanceof StartRefused)) return
  noteLine(buildLog, `# ${error.code}: ${error.message}`)
  if (error.help !== null) noteLine(buildLog, `# what helps: ${error.help}`)
}

/** The last line that a log of a program holds which never ran: from whoever was to start it. Empty: nothing was said. */
export function lastWords(logDir: string): string {
  const file = join(logDir, segmentName(0))
  const text = existsSync(file) ? readFileSync(file, 'utf8').slice(-WORDS_CHARS_MAX) : ''
  return (text.split(/[\r\n]+/).findLast((line) => line.trim() !== '') ?? '').replace(/\p{C}/gu, ' ')
}

/** One line of ours in a workload's build log. */
export function noteLine(buildLog: string, line: string): void {
  try {
    appendFileSync(buildLog, `${line}\n`, { mode: 0o600 })
  } catch {
    // A full disk, or a start that was refused before it had a folder: the agent's own log has it.
  }
}

/** What helps, as a field of a log line. */
export function helpOf(error: unknown): { help?: string } {
  return error instanceof StartRefused && error.help !== null ? { help: error.help } : {}
}
