import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import type { ProcessRef } from './process-table'
import { descendants, isAlive, signalProcess, startTime } from './process-table'

/** A running program: the process that was started, and the first process of its sandbox when it has one. */
export type Running = {
  kind: 'terminal' | 'service'
  started: ProcessRef
  sandboxInit: ProcessRef | null
  /** `NAME=value` in the environment of every process of a program without a sandbox. */
  marker: string
  /** Resolves when the started process ended. */
  ended: Promise<void>
}

const ASK_AGAIN_MS = 200
const KILL_ROUNDS = 50
const KILL_PAUSE_MS = 20

/**
 * Ends every process of a program: asked first, killed after the grace, proven gone. A sandbox's processes die with its
 * first one, which the kernel sees to. Returns whether force was needed.
 */
export async function endChild(running: Running, graceMs: number): Promise<{ forced: boolean }> {
  const inTime = await askToEnd(running, graceMs)
  if (running.sandboxInit) signalProcess(running.sandboxInit, 'SIGKILL')
  else await killMarked(running.marker, running.started)
  await settled(running.ended, graceMs)
  return { forced: !inTime }
}

/** Each process is asked once, also one that came while the others were ending. */
async function askToEnd(running: Running, graceMs: number): Promise<boolean> {
  const asked = new Set<string>()
  for (const end = Date.now() + graceMs; Date.now() < end; ) {
    for (const ref of gentlyTold(running).filter(({ pid, start }) => !asked.has(`${pid} ${start}`))) {
      asked.add(`${ref.pid} ${ref.start}`)
      for (const signal of GENTLE[running.kind]) signalProcess(ref, signal)
    }
    if (await settled(running.ended, ASK_AGAIN_MS)) return true
  }
  return false
}

const GENTLE = { terminal: ['SIGHUP', 'SIGCONT', 'SIGTERM'], service: ['SIGTERM'] } as const

/** A terminal hangs up on everybody; a server is told alone and ends its own children. */
function gentlyTold({ kind, started, sandboxInit }: Running): ProcessRef[] {
  if (kind === 'service') return sandboxInit ? below(sandboxInit).slice(0, 1) : [started]
  return sandboxInit ? below(sandboxInit) : [started, ...below(started)]
}

/** The processes below one that lives: once it has ended its number may be a stranger's. */
function below(ref: ProcessRef): ProcessRef[] {
  return isAlive(ref) ? descendants(ref.pid) : []
}

/** Ends every process of a program without a sandbox: those that carry its marker, and those below `root` when it is known. */
export async function killMarked(marker: string, root: ProcessRef | null): Promise<void> {
  for (let round = 0; round < KILL_ROUNDS; round++) {
    const known = root === null ? [] : [root, ...below(root)]
    if ([...known, ...marked(marker)].filter((ref) => signalProcess(ref, 'SIGKILL')).length === 0) return
    await wait(KILL_PAUSE_MS)
  }
}

/** Does any process carry the marker? */
export function isAnyMarked(marker: string): boolean {
  return marked(marker).length > 0
}

/** Processes that carry the marker, also those that left their group and their parent. */
function marked(marker: string): ProcessRef[] {
  const found: ProcessRef[] = []
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue
    try {
      const environment = readFileSync(`/proc/${entry}/environ`, 'latin1')
      const start = startTime(Number(entry))
      if (start !== null && environment.split('\0').includes(marker)) found.push({ pid: Number(entry), start })
    } catch {
      // Another user's process, or one that just ended: not ours.
    }
  }
  return found
}

async function settled(promise: Promise<void>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController()
  const late = wait(timeoutMs, false, { signal: timer.signal }).catch(() => false)
  const result = await Promise.race([promise.then(() => true), late])
  timer.abort()
  return result
}
