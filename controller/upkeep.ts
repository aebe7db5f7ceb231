import type { Clock } from '@/kit/clock'
import type { Log } from '@/kit/log'
import { pause, runLoop, type Waker } from '@/kit/loop'
import { backupIfDue } from '@/server/store/backup'
import { type Db, placeOf } from '@/server/store/db'
import { keepReserve } from '@/server/store/reserve'
import { sweepExpired } from '@/server/store/system/sweep'

export type UpkeepDeps = { db: Db; url: string; clock: Clock; log: Log; waker: Waker; signal: AbortSignal; afterMs?: number }

const EVERY_MS = 5 * 60_000
/** A start is not made slower by a copy of the database. */
const AFTER_MS = 30_000

/**
 * What nobody waits for: the hourly backup of a SQLite database, its reserve, and the end of what has expired. One that fails is said
 * and does not keep the other from its turn; both come again.
 */
export async function runUpkeep(deps: UpkeepDeps): Promise<void> {
  const { log, signal, waker, afterMs = AFTER_MS } = deps
  await pause(afterMs, signal)
  await runLoop(() => keepUp(deps), { everyMs: EVERY_MS, signal, log, waker })
}

async function keepUp({ db, url, clock, log }: UpkeepDeps): Promise<void> {
  const now = clock.now()
  const backup = await attempt(log, 'backup failed', () => backupIfDue(url, now))
  if (backup) log.info('database backed up', { file: backup })
  await attempt(log, 'reserve failed', () => keepReserve(placeOf(db)))
  await attempt(log, 'sweep failed', () => sweepExpired(db, now))
}

async function attempt<T>(log: Log, failure: string, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    log.error(failure, { error })
    return null
  }
}
