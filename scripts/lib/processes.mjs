// Which processes belong to a data directory, told apart from later ones with the same number. Plain Node.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The web process that holds this data directory, or null. Its lock is written by `server/data-lock.ts`. */
export function webProcess(home) {
  const lock = readJson(path.join(home, 'lock'))
  return lock && isSame(lock.pid, lock.startedAt) ? lock.pid : null
}

/** Every session-host of this data directory that lives: `{ folder, pid, childPid, workloadId, kind }`. */
export function sessionHosts(home) {
  const folder = path.join(home, 'instances')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .map((name) => ({ ...readJson(path.join(folder, name, 'host.json')), folder: path.join(folder, name) }))
    .filter((host) => isSame(host.hostPid, host.hostStart))
    .map(({ hostPid: pid, folder, childPid, workloadId, kind }) => ({ folder, pid, childPid, workloadId, kind }))
}

/** Processes that run from a copy of the detached programs below this data directory: builds, hosts and the egress process. */
export function detachedProcesses(home) {
  const folder = `${path.join(home, 'host')}${path.sep}`
  return commandLines().filter(({ pid, command }) => pid !== process.pid && command.includes(folder))
}

/** When a process began, as its system tells it; empty when there is none, or when it ended and nobody asked how. */
export function startOf(pid) {
  if (process.platform !== 'linux') return run('ps', ['-o', 'lstart=', '-p', String(pid)]).trim()
  const stat = readText(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' ? '' : (fields[19] ?? '')
}

function isSame(pid, startedAt) {
  return Number.isInteger(pid) && Boolean(startedAt) && startOf(pid) === startedAt
}

function commandLines() {
  if (process.platform === 'linux') {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return pids.map((pid) => ({ pid: Number(pid), command: readText(`/proc/${pid}/cmdline`).replaceAll('\0', ' ') }))
  }
  const lines = run('ps', ['-axo', 'pid=,command=']).trim().split('\n')
  return lines.map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim().replace(/^\d+\s+/, '') }))
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null // Not there, or not ours: nobody is found by it.
  }
}

/** Empty when the process is gone or not ours to read. */
function readText(file) {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return '' // Gone between listing and reading.
  }
}

function run(command, args) {
  try {
    return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return '' // ps says by its exit code that there is no such process.
  }
}
