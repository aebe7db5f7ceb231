import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * When the kernel started that process, as text to compare; null when there is none, or only a zombie. With the boot id
 * it tells a process from a later one of the same number.
 */
export function processStart(pid: number): string | null {
  return process.platform === 'linux' ? fromProc(pid) : fromPs(pid)
}

function fromProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null)
  } catch {
    return null // no such process
  }
}

function fromPs(pid: number): string | null {
  try {
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'latin1', timeout: 5000 })
    return text.trim() || null
  } catch {
    return null // ps exits with 1 when there is no such process
  }
}
