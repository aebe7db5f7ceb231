import path from 'node:path'
import Database from 'better-sqlite3'

const TIMES = ['state_since', 'last_busy_at', 'last_opened_at'] as const

/** Moves what happened last in a run back by minutes, in the database of the Berth of `home`, as if its owner had been away. */
export function ageRun(home: string, id: string, minutes: number): void {
  const db = new Database(path.join(home, 'berth.db'), { timeout: 5000 })
  const row = db.prepare(`select ${TIMES.join(', ')} from workload where id = ?`).get(id) as Record<string, string | null>
  for (const name of TIMES) {
    const at = row[name]
    if (at === null || at === undefined) continue
    const before = new Date(Date.parse(at) - minutes * 60_000).toISOString()
    db.prepare(`update workload set ${name} = ? where id = ?`).run(at.endsWith('Z') ? before : before.replace('Z', '+00:00'), id)
  }
  db.close()
}
