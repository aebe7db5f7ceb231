import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { HostFile } from '@/protocol/host'
import { hostFile } from '@/protocol/host'
import { doorSocket } from '@/protocol/paths'
import { killMarked } from '../../host/end-child'
import { instancePaths, marker } from '../../host/host-launch'
import type { ProcessRef } from '../../host/process-table'
import { isAlive, signalProcess } from '../../host/process-table'
import { isMissing } from '../../json-file'
import { GRACE_MS, HOST_FLAGS } from './limits/bounds'
import { namespaceCommand } from './sandbox/sandbox-command'
import { detach, type SpareHost } from './spare-host'

const POLL_MS = 25
/** A start is waited for by somebody. */
const START_POLL_MS = 5
const START_MS = 60_000
const KILL_MS = 5000

/** The session-host of an instance as its file and the process table say, or null. */
export function readHost(instanceDir: string, bootId: string): { file: HostFile; isAlive: boolean } | null {
  const text = textOf(instancePaths(instanceDir).hostFile)
  if (text === null) return null
  const file = hostFile.parse(JSON.parse(text))
  const isSameBoot = file.bootId === bootId
  return { file, isAlive: isSameBoot && isAlive({ pid: file.hostPid, start: file.hostStart }) }
}

/** Read in one step: an instance may be forgotten, with its folder, at any time. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Did its program start, or end? Until then it is being started. */
function isSettled(file: HostFile): boolean {
  return file.childPid !== null || file.exitCode !== null
}

export type HostStart = {
  instanceDir: string
  bootId: string
  sessionHost: string
  isRoot: boolean
  isSandboxed: boolean
  spare: SpareHost
}

/**
 * Starts the session-host of an instance, unless one runs, and waits until its program started or ended. Resolves with
 * what it says; null when it died before.
 */
export async function startHost(start: HostStart, signal: AbortSignal): Promise<HostFile | null> {
  const { launchFile, hostFile: path, hostLog } = instancePaths(start.instanceDir)
  const known = readHost(start.instanceDir, start.bootId)
  if (known && !known.isAlive) rmSync(path)
  const launch = { launchFile, logFile: hostLog }
  const spare = known?.isAlive ? null : start.spare.take(spareCommand(start), launch)
  let started = spare ?? (known?.isAlive ? null : fresh(start, launch))
  for (const end = Date.now() + START_MS; Date.now() < end && !signal.aborted; await wait(START_POLL_MS)) {
    const host = readHost(start.instanceDir, start.bootId)
    if (host?.isAlive && isSettled(host.file)) {
      if (start.isSandboxed) start.spare.prepare(spareCommand(start))
      return host.file
    }
    if (host?.isAlive || !(started?.isEnded() ?? true)) continue
    if (host !== null || started !== spare) return null
    // The one that waited had ended before it heard of anything: as if there had been none.
    started = fresh(start, launch)
  }
  if (!readHost(start.instanceDir, start.bootId)?.isAlive) started?.kill()
  signal.throwIfAborted()
  return null
}

/** The command of a host that waits for its launch; one in a sandbox's namespaces only. */
export function spareCommand({
  sessionHost,
  isRoot,
  isSandboxed,
}: Omit<HostStart, 'instanceDir' | 'bootId' | 'spare'>): string[] {
  const run = [process.execPath, ...HOST_FLAGS, sessionHost, 'wait']
  return isSandboxed ? namespaceCommand(isRoot, run) : run
}

function fresh(start: HostStart, { launchFile, logFile }: { launchFile: string; logFile: string }) {
  const run = [process.execPath, ...HOST_FLAGS, start.sessionHost, 'run', launchFile]
  return detach(start.isSandboxed ? namespaceCommand(start.isRoot, run) : run, { logFile, isFed: false }).started
}

/** Ends a session-host with its program and proves that nothing runs any more. Returns whether force was needed. */
export async function endHost(instanceDir: string, bootId: string): Promise<{ forced: boolean }> {
  const host = readHost(instanceDir, bootId)
  if (!host || host.file.bootId !== bootId) return { forced: false }
  const self = { pid: host.file.hostPid, start: host.file.hostStart }
  signalProcess(self, 'SIGTERM')
  const inTime = await gone(self, 2 * GRACE_MS + KILL_MS)
  if (!inTime) signalProcess(self, 'SIGKILL')
  const first = firstOf(host.file)
  const isOver = (await gone(self, KILL_MS)) && (first === null || (await killed(first)))
  // A host that was killed took a sandbox with it, but not what had no sandbox.
  await killMarked(marker(host.file.placementId), null)
  if (!isOver) throw new Error('a process of the instance does not end')
  return { forced: !inTime || existsSync(instancePaths(instanceDir).forcedFile) }
}

/** Removes the door sockets of an instance, when its host could not. */
export function removeDoors(runtimeDir: string, placementId: string): void {
  rmSync(dirname(doorSocket(runtimeDir, placementId, 'main')), { recursive: true, force: true })
}

function firstOf(file: HostFile): ProcessRef | null {
  return file.childPid === null || file.childStart === null ? null : { pid: file.childPid, start: file.childStart }
}

async function killed(ref: ProcessRef): Promise<boolean> {
  signalProcess(ref, 'SIGKILL')
  return gone(ref, KILL_MS)
}

async function gone(ref: ProcessRef, timeoutMs: number): Promise<boolean> {
  for (const end = Date.now() + timeoutMs; Date.now() < end; await wait(POLL_MS)) if (!isAlive(ref)) return true
  return !isAlive(ref)
}
