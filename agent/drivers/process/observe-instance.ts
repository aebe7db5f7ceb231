import type { RefusedHost } from '@/domain/refusals'
import type { Progress } from '@/domain/workloads'
import type { HostFile } from '@/protocol/host'
import { PROTOCOL } from '@/protocol/version'
import type { LocalInstance } from '../driver'
import { type InstanceRecord, isOver } from './instance-record'
import type { Measured } from './use/use-meter'

/** What is seen of an instance beside its record. */
export type Seen = {
  bootId: string
  host: { file: HostFile; isAlive: boolean } | null
  isReady: boolean
  isFrozen: boolean
  memoryKills: number
  progress: Progress | null
  hasWorkspace: boolean
  measured: Measured
  refused: readonly RefusedHost[]
  heavyHosts: readonly string[]
}
type Finding = Pick<LocalInstance, 'status' | 'code'> &
  Partial<Pick<LocalInstance, 'subject' | 'folderRefused' | 'progress' | 'exitCode' | 'use' | 'isBusy'>>

/** Of a program whose host was killed with it. */
const KILLED = 137

/** Pure: the observation of an instance, from its record and from what was seen on the machine. */
export function observeInstance(record: InstanceRecord, seen: Seen): LocalInstance {
  const { workloadId, placementId, workloadGen } = record.spec
  const finding =
    isOver(record) || record.bootId === seen.bootId
      ? FINDINGS[record.phase](record, seen)
      : { status: 'stopped' as const, code: 'ok' as const }
  const needsRestart = seen.host?.isAlive === true && seen.host.file.protocol < PROTOCOL.host - 1
  return {
    ...{ workloadId, placementId, workloadGen, hasWorkspace: seen.hasWorkspace },
    ...{ subject: null, progress: null, exitCode: null, use: null, isBusy: false, needsRestart },
    ...finding,
    ...(seen.refused.length > 0 ? { refused: [...seen.refused] } : {}),
    ...(seen.heavyHosts.length > 0 ? { heavyHosts: [...seen.heavyHosts] } : {}),
  }
}

const FINDINGS: Record<InstanceRecord['phase'], (record: InstanceRecord, seen: Seen) => Finding> = {
  // What is being built or fetched is work, and never ended for being idle.
  starting: (_record, { progress }) => ({
    status: 'starting',
    code: 'ok',
    isBusy: true,
    progress: progress ?? stage('creating'),
  }),
  up: findUp,
  stopping: (_record, { progress }) => ({ status: 'stopping', code: 'ok', progress: progress ?? stage('stopping') }),
  stopped: ({ code }) => ({ status: 'stopped', code }),
  removed: ({ code }) => ({ status: 'removed', code }),
  failed: ({ code, subject, folderRefused }, { host }) => ({
    ...{ status: 'failed', code, subject, exitCode: host?.file.exitCode ?? null },
    ...(folderRefused ? { folderRefused } : {}),
  }),
}

function findUp(record: InstanceRecord, seen: Seen): Finding {
  const { host } = seen
  if (!host?.isAlive) return { status: 'failed', code: killCode(seen), exitCode: host?.file.exitCode ?? KILLED }
  const { exitCode } = host.file
  if (exitCode !== null && host.file.childPid === null) {
    const { startFault } = host.file
    const subject = startFault === undefined ? null : (record.spec.command?.[0] ?? null)
    return { status: 'failed', code: startFault ?? 'start_failed', subject, exitCode }
  }
  if (record.spec.kind !== 'session') return findService(seen, exitCode)
  // A program that ended does not end its session: exit code and state are two facts.
  const code = exitCode !== null && seen.memoryKills > 0 ? 'out_of_memory' : 'ok'
  return { status: seen.isFrozen ? 'paused' : 'running', code, exitCode, ...seen.measured }
}

function findService(seen: Seen, exitCode: number | null): Finding {
  if (exitCode !== null) return { status: 'failed', code: killCode(seen), exitCode }
  if (seen.isFrozen) return { status: 'paused', code: 'ok', ...seen.measured }
  // A kernel that took too much is not the server: the code says it, the notebook goes on.
  if (seen.isReady) return { status: 'running', code: seen.memoryKills > 0 ? 'out_of_memory' : 'ok', ...seen.measured }
  return { status: 'starting', code: 'ok', isBusy: true, progress: seen.progress ?? stage('starting') }
}

function killCode({ memoryKills }: Seen): 'out_of_memory' | 'process_ended' {
  return memoryKills > 0 ? 'out_of_memory' : 'process_ended'
}

function stage(name: Progress['stage']): Progress {
  return { stage: name, detail: null, done: null, total: null, unit: null }
}
