import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { ProcessRef } from './process-table'
import { hasProgram, startTime } from './process-table'

/** The first line is written when the sandbox's first process exists, the second when a program that did start has ended. */
const firstLine = z.object({ 'child-pid': z.int().min(1) })
const lastLine = z.object({ 'exit-code': z.int() })
const POLL_MS = 2
const WAIT_MS = 30_000

/**
 * The first process of a sandbox whose program has started. Null when the sandbox could not be made: then bubblewrap
 * ends without having said that a program ended.
 */
export async function sandboxInit(statusFile: string, ended: Promise<unknown>): Promise<ProcessRef | null> {
  let isEnded = false
  void ended.then(() => {
    isEnded = true
  })
  for (const limit = Date.now() + WAIT_MS; Date.now() < limit; await wait(POLL_MS)) {
    const isLast = isEnded
    const { pid, hasEnded } = readStatus(statusFile)
    if (pid !== null && (hasEnded || hasProgram(pid))) return { pid, start: startTime(pid) ?? 'ended' }
    if (isLast) return null
  }
  return null
}

function readStatus(path: string): { pid: number | null; hasEnded: boolean } {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').map(parse) : []
  const first = firstLine.safeParse(lines[0])
  return { pid: first.success ? first.data['child-pid'] : null, hasEnded: lines.some((line) => lastLine.safeParse(line).success) }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null // Not written to its end yet.
  }
}
