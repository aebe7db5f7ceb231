import { readdirSync, readFileSync } from 'node:fs'

export type ProcessRow = { pid: number; parent: number; cpuMs: number; memoryBytes: number; tty: number }

/** Clock ticks of the kernel's counters: 100 a second on every Linux that Node runs on. */
const TICK_MS = 10
const PAGE_BYTES = 4096

/** Every process of the machine, as the kernel tells it at one moment. */
export function readProcesses(): ProcessRow[] {
  return readdirSync('/proc').flatMap((name) => {
    const row = /^\d+$/.test(name) ? readProcess(Number(name)) : null
    return row === null ? [] : [row]
  })
}

/** One process, or null. CPU time includes that of children that ended and were waited for. */
export function readProcess(pid: number): ProcessRow | null {
  try {
    return parseProcess(pid, readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return null // It ended, or the machine has no such table: nothing is known of it.
  }
}

/** Pure: the name, which may hold anything, ends at the last bracket. */
export function parseProcess(pid: number, stat: string): ProcessRow {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const number = (at: number) => Number(fields[at] ?? 0)
  const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + number(at), 0)
  return { pid, parent: number(1), tty: number(4), cpuMs: ticks * TICK_MS, memoryBytes: number(21) * PAGE_BYTES }
}

/** Pure: CPU time and memory of a process with everything below it. Memory that they share counts more than once. */
export function treeUse(rows: readonly ProcessRow[], root: number): { cpuMs: number; memoryBytes: number } {
  const children = new Map<number, ProcessRow[]>()
  for (const row of rows) {
    const siblings = children.get(row.parent)
    if (siblings) siblings.push(row)
    else children.set(row.parent, [row])
  }
  const sum = { cpuMs: 0, memoryBytes: 0 }
  const queue = rows.filter((row) => row.pid === root)
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    sum.cpuMs += next.cpuMs
    sum.memoryBytes += next.memoryBytes
    queue.push(...(children.get(next.pid) ?? []))
  }
  return sum
}
