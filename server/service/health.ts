import { statfs } from 'node:fs/promises'
import path from 'node:path'
import { listBackups } from '@/server/store/backup'
import { readCounter } from '@/server/store/counter'
import { placeOf } from '@/server/store/db'
import { listMachines } from '@/server/store/machines'
import { leaseState, PLACEMENT_LEASE } from '@/server/store/system/leases'
import { installation, isQuarantined } from '@/server/store/system/setup'
import type { Ctx } from './ctx'

/** One thing that Berth needs, whether it is well, and in one sentence what is the matter or how it is. */
export type HealthCheck = { id: string; ok: boolean; text: string }

const HOUR_MS = 3_600_000
/** An hourly copy that is this late was missed. */
const BACKUP_LATE_HOURS = 3
const DISK_FREE_MIN_BYTES = 2 ** 30

/** How this installation is. A check that fails itself is a check that is not well: nothing is thrown. */
export async function systemHealth(ctx: Ctx): Promise<HealthCheck[]> {
  const checks = await Promise.all(Object.entries(CHECKS).map(([id, check]) => run(ctx, id, check)))
  return checks.flatMap((check) => (check ? [check] : []))
}

/** Null: it does not concern this installation. */
type Check = (ctx: Ctx) => Promise<Omit<HealthCheck, 'id'> | null>

const CHECKS: Record<string, Check> = {
  database: async ({ db }) => {
    await readCounter(db)
    return { ok: true, text: placeOf(db).provider === 'sqlite' ? 'SQLite answers' : 'PostgreSQL answers' }
  },
  controller: async ({ db, now }) => {
    const lease = await leaseState(db, PLACEMENT_LEASE)
    const ok = lease !== null && lease.expiresAt > now()
    return { ok, text: ok ? 'the controller is at work' : 'no controller is at work: nothing is started or stopped' }
  },
  machines: async ({ db, tenantId }) => {
    const machines = await listMachines(db, tenantId)
    const connected = machines.filter((machine) => machine.isConnected).length
    const ok = machines.length > 0 && connected === machines.length
    return { ok, text: `${connected} of ${machines.length} machines connected` }
  },
  quarantine: async ({ db }) => {
    const isHeld = await isQuarantined(db)
    const text = isHeld ? 'the database was restored: nothing starts or ends until quarantine is left' : 'no quarantine'
    return { ok: !isHeld, text }
  },
  backup: checkBackup,
  disk: async ({ db }) => {
    const place = placeOf(db)
    if (place.provider !== 'sqlite') return null
    const { bavail, bsize } = await statfs(path.dirname(place.file))
    const freeBytes = bavail * bsize
    return { ok: freeBytes >= DISK_FREE_MIN_BYTES, text: `${(freeBytes / 2 ** 30).toFixed(1)} GiB free beside the database` }
  },
}

async function checkBackup({ db, now }: Ctx): Promise<Omit<HealthCheck, 'id'> | null> {
  const place = placeOf(db)
  if (place.provider !== 'sqlite') return null
  const newest = listBackups(place.file)[0]
  const since = newest?.at ?? (await installation(db))?.createdAt ?? now()
  const hours = Math.floor((now().getTime() - since.getTime()) / HOUR_MS)
  const text = newest ? `the newest copy of the database is ${hours} h old` : 'no copy of the database yet'
  return { ok: hours < BACKUP_LATE_HOURS, text }
}

async function run(ctx: Ctx, id: string, check: Check): Promise<HealthCheck | null> {
  try {
    const found = await check(ctx)
    return found && { id, ...found }
  } catch {
    return { id, ok: false, text: `the check of ${id} failed` } // its own words may hold paths and addresses
  }
}
