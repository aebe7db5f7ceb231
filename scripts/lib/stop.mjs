// `npm run berth -- stop [--all]`: ends what a person started, in order, and says what it was.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { detachedProcesses, sessionHosts, startOf, webProcess } from './processes.mjs'

/** Web ends its controller, and that its agent. */
const WEB_MS = 20_000
/** A session-host ends its program with a grace of its own before it is forced. */
const HOST_MS = 30_000
const EGRESS_MS = 5000

/** Ends web, controller and agent; with `isAll` also every session-host and the egress process. Returns what it ended, in words. */
export async function stopBerth(home, { isAll }) {
  const ended = []
  const web = webProcess(home)
  if (web !== null && (await end(web, WEB_MS))) ended.push(`dashboard, controller and agent (process ${web})`)
  if (!isAll) return ended
  const hosts = sessionHosts(home)
  const names = namesOf(home)
  await Promise.all(
    hosts.map(async (host) => {
      // Its agent reads it at the next start: this one was ended with the rest, it did not break.
      writeFileSync(path.join(host.folder, 'ended-by-stop'), '', { mode: 0o600 })
      if (await end(host.pid, HOST_MS))
        ended.push(
          `${NAMES[host.kind] ?? 'program'} of ${names.get(host.workloadId) ?? `workload ${host.workloadId}`} (process ${host.pid})`,
        )
    }),
  )
  for (const { pid, command } of detachedProcesses(home)) {
    if (await end(pid, EGRESS_MS)) ended.push(`${command.includes('egress.mjs') ? 'egress' : 'build'} (process ${pid})`)
  }
  return ended
}
const NAMES = { terminal: 'terminal', service: 'service' }

/** Workloads as people know them, by id. A courtesy: none with PostgreSQL, or before the packages are installed. */
function namesOf(home) {
  try {
    const Database = createRequire(import.meta.url)('better-sqlite3')
    const db = new Database(path.join(home, 'berth.db'), { readonly: true, fileMustExist: true })
    const rows = db.prepare('SELECT "id", "name" FROM "workload"').all()
    db.close()
    return new Map(rows.map(({ id, name }) => [id, name]))
  } catch {
    return new Map() // What is ended is ended by its process, whatever it is called.
  }
}

/** SIGTERM, then SIGKILL when it did not help in time. False when it was gone already. */
async function end(pid, graceMs) {
  const startedAt = startOf(pid)
  if (startedAt === '' || !signal(pid, 'SIGTERM')) return false
  if (!(await isGone(pid, startedAt, graceMs))) {
    signal(pid, 'SIGKILL')
    await isGone(pid, startedAt, 5000)
  }
  return true
}

async function isGone(pid, startedAt, withinMs) {
  const until = performance.now() + withinMs
  while (performance.now() < until) {
    if (startOf(pid) !== startedAt) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}

function signal(pid, name) {
  try {
    process.kill(pid, name)
    return true
  } catch (error) {
    if (error.code === 'ESRCH') return false
    throw error
  }
}
