import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { ProcessRef } from './process-table'
import { startTime } from './process-table'

const status = z.object({ 'child-pid': z.int().min(1) })
const POLL_MS = 10
const WAIT_MS = 10_000

/**
 * The first process of a sandbox, from the status that bubblewrap writes once the sandbox stands. Null when there is no
 * sandbox, or when it ended before it stood.
 */
export async function sandboxInit(statusFile: string | null, ended: Promise<unknown>): Promise<ProcessRef | null> {
  if (statusFile === null) return null
  let isEnded = false
  void ended.then(() => {
    isEnded = true
  })
  for (const limit = Date.now() + WAIT_MS; Date.now() < limit; ) {
    const pid = firstPid(statusFile)
    const start = pid === null ? null : startTime(pid)
    if (pid !== null) return { pid, start: start ?? 'ended' }
    if (isEnded) return null
    await wait(POLL_MS)
  }
  return null
}

function firstPid(statusFile: string): number | null {
  if (!existsSync(statusFile)) return null
  const [line = ''] = readFileSync(statusFile, 'utf8').split('\n', 1)
  try {
    const parsed = status.safeParse(JSON.parse(line))
    return parsed.success ? parsed.data['child-pid'] : null
  } catch {
    return null // Not written to its end yet.
  }
}
