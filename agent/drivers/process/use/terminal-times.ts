import { statSync } from 'node:fs'
import { readProcess } from './process-table'

const FIRST_PTS_MAJOR = 136
const PTS_MAJORS = 8

/**
 * When the terminal of a process last carried bytes, in or out, as a text to compare: the kernel stamps its device with
 * both, some seconds coarse. Null: it cannot be told.
 */
export function terminalTimes(pid: number): string | null {
  const path = terminalPath(readProcess(pid)?.tty ?? 0)
  const stat = path === null ? undefined : statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.atimeMs} ${stat.mtimeMs}`
}

/** Pure: the device of a terminal number of the kernel; null when it is no pseudo-terminal. */
export function terminalPath(tty: number): string | null {
  const major = (tty >> 8) & 0xfff
  const minor = (tty & 0xff) | ((tty >> 12) & 0xfff00)
  const isPts = major >= FIRST_PTS_MAJOR && major < FIRST_PTS_MAJOR + PTS_MAJORS
  return isPts ? `/dev/pts/${minor + (major - FIRST_PTS_MAJOR) * 256}` : null
}
