import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const FREEZE_WAIT_MS = 5000
const REMOVE_TRIES = 200
const POLL_MS = 25
const JOIN_MS = 5000
/** The file of a group that lists its processes; writing a number into it moves that process there. */
export const PROCS = 'cgroup.procs'

/** Judged by doing it: is a group below this parent ours to make, and may a process of ours join it? */
export function canUse(parent: string): boolean {
  const probe = join(parent, `probe-${process.pid}-${Date.now()}`)
  try {
    mkdirSync(probe, { recursive: true })
  } catch {
    return false // Read-only or not ours: this limit is not enforced here, and that is what the caller says.
  }
  try {
    execFileSync('/bin/sh', ['-c', 'echo $$ >"$1"', 'berth-join', join(probe, PROCS)], { timeout: JOIN_MS, stdio: 'ignore' })
    return true
  } catch {
    return false // As above: a group that nobody may join limits nothing.
  } finally {
    removeNow(probe)
  }
}

/** Writes one value. Throws when the kernel refuses it. */
export function put(dir: string, file: string, value: string | number): void {
  writeFileSync(join(dir, file), String(value))
}

/** Was it written? */
export function canPut(dir: string, file: string, value: string): boolean {
  try {
    put(dir, file, value)
    return true
  } catch {
    return false // Not ours to write, or the kernel has no such controller: the caller says so.
  }
}

/** The text of a file; empty when the group is gone, and with it what was counted. */
export function get(dir: string, file: string): string {
  try {
    return readFileSync(join(dir, file), 'utf8')
  } catch {
    return '' // As the doc line says.
  }
}

/** The number of a file that holds one, or null. */
export function numberOf(dir: string, file: string): number | null {
  const text = get(dir, file).trim()
  return /^\d+$/.test(text) ? Number(text) : null
}

/** A named number of a table such as `memory.events`; 0 when it is not there. */
export function counter(text: string, name: string): number {
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
}

/** Waits until processes are frozen, or run again. What cannot be in time is undone: half frozen they could not even be ended. */
export async function until(isDone: () => boolean, undo: () => void): Promise<void> {
  for (const end = Date.now() + FREEZE_WAIT_MS; !isDone(); await wait(POLL_MS)) {
    if (Date.now() <= end) continue
    undo()
    throw new Error('the processes could not be frozen in time')
  }
}

/** Removes groups; the last processes in them may still be being reaped. */
export async function removeAll(dirs: readonly string[]): Promise<void> {
  for (const dir of dirs) {
    for (let attempt = 0; existsSync(dir) && attempt < REMOVE_TRIES; attempt++) {
      if (removeNow(dir)) break
      await wait(POLL_MS)
    }
  }
}

function removeNow(dir: string): boolean {
  try {
    rmdirSync(dir)
    return true
  } catch {
    return removeOrdinary(dir)
  }
}

/** A folder of an ordinary file system has files of its own, unlike a group's. */
function removeOrdinary(dir: string): boolean {
  try {
    rmSync(join(dir, PROCS))
    rmdirSync(dir)
    return true
  } catch {
    return false // A process is still in it; the caller tries again.
  }
}
