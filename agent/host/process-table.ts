import { readdirSync, readFileSync } from 'node:fs'

/** PF_FORKNOEXEC in the flags of /proc/<pid>/stat, proc(5) and include/linux/sched.h. */
const FORKED_WITHOUT_EXEC = 0x40

/** A process that cannot be mistaken: the kernel's start time tells a reused pid. */
export type ProcessRef = { pid: number; start: string }

/** Start time of a process in clock ticks since boot; null when there is none. */
export function startTime(pid: number): string | null {
  return fields(pid)?.[19] ?? null
}

/** Is exactly this process there? A zombie is not: it runs nothing. */
export function isAlive(ref: ProcessRef): boolean {
  const stat = fields(ref.pid)
  return stat?.[19] === ref.start && stat[0] !== 'Z'
}

/** Sends a signal to exactly this process. Returns false when it is gone. */
export function signalProcess(ref: ProcessRef, signal: NodeJS.Signals): boolean {
  if (!isAlive(ref)) return false
  try {
    process.kill(ref.pid, signal)
    return true
  } catch {
    return false // It ended between the two lines.
  }
}

/**
 * Does a process that this one started run a program? Until its `exec`, which may fail, it is a copy of its parent. Where
 * the kernel keeps no list of children, all processes are looked through.
 */
export function hasProgram(pid: number): boolean {
  return children(pid).some((child) => {
    const flags = fields(child)?.[6]
    return flags !== undefined && (Number(flags) & FORKED_WITHOUT_EXEC) === 0
  })
}

function children(pid: number): number[] {
  try {
    return (readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').match(/\d+/g) ?? []).map(Number)
  } catch {
    return descendants(pid).map((child) => child.pid)
  }
}

/** Every process below `pid`, children first found last; the root is not in it. */
export function descendants(pid: number): ProcessRef[] {
  const children = new Map<number, ProcessRef[]>()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = fields(Number(entry))
    if (!stat?.[1] || !stat[19]) continue
    const parent = Number(stat[1])
    children.set(parent, [...(children.get(parent) ?? []), { pid: Number(entry), start: stat[19] }])
  }
  const found: ProcessRef[] = []
  const queue = [pid]
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    for (const child of children.get(next) ?? []) {
      found.push(child)
      queue.push(child.pid)
    }
  }
  return found
}

/** Fields of /proc/<pid>/stat from `state` on; the name before them may hold anything. */
function fields(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null // No such process, which is the answer.
  }
}
