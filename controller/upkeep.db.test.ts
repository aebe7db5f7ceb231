import { statSync } from 'node:fs'
import { v7 as uuidv7 } from 'uuid'
import { expect, it } from 'vitest'
import { LIMITS } from '@/domain/limits'
import { createLog } from '@/kit/log'
import { Waker } from '@/kit/loop'
import { listBackups } from '@/server/store/backup'
import type { Db } from '@/server/store/db'
import { insertJoinToken } from '@/server/store/system/join-tokens'
import { TestClock } from '@/testing/clock'
import { freshDatabase } from '@/testing/databases'
import { seedTenant } from '@/testing/seed'
import { until } from '@/testing/until'
import { runUpkeep } from './upkeep'

const log = createLog('test', { level: 'silent' })
const DAY_MS = 86_400_000

async function upkeepOf(db: Db, url: string) {
  const [clock, waker, abort] = [new TestClock(), new Waker(), new AbortController()]
  const seed = await seedTenant(db)
  const createdAt = new Date(clock.now().getTime() - 30 * DAY_MS)
  const spent = { id: uuidv7(), machineId: null, region: 'lab', secretHash: uuidv7(), createdAt, expiresAt: createdAt }
  await insertJoinToken(db, { ...spent, tenantId: seed.tenantId, ownerId: seed.owner.id })
  const running = runUpkeep({ db, url, clock, log, waker, signal: abort.signal, afterMs: 0 })
  const end = async () => {
    abort.abort()
    await running
  }
  return { clock, waker, end, isSwept: async () => (await db.joinToken.count({ where: { id: spent.id } })) === 0 }
}

it('B6: backs the database up every hour and ends what has expired', async () => {
  const { db, url, drop } = await freshDatabase('sqlite')
  const file = url.slice('file:'.length)
  const { clock, waker, end, isSwept } = await upkeepOf(db, url)
  await until('one backup, and the spent token is gone', async () => listBackups(file).length === 1 && (await isSwept()))
  expect(statSync(`${file}.reserve`).size).toBe(LIMITS.reserveBytes)
  clock.advance(3_600_000)
  await until('the next hour’s', () => {
    waker.wake()
    return listBackups(file).length === 2
  })
  await end()
  await drop()
})

it('goes on with the rest when a backup fails', async () => {
  const { db, drop } = await freshDatabase('sqlite')
  const { end, isSwept } = await upkeepOf(db, 'file:/nowhere/at/all.db')
  await until('swept', isSwept)
  await end()
  await drop()
})
