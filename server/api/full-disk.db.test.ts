import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { listWorkloads } from '@/server/service/workloads'
import { openDb, placeOf } from '@/server/store/db'
import { migrateSqlite } from '@/server/store/migrate-sqlite'
import { isReserveSpent, keepReserve } from '@/server/store/reserve'
import { createInput, ctxFor, seedMachine, seedRunning, seedTenant } from '@/testing/seed'
import { until } from '@/testing/until'
import { WITHOUT_ROOM } from './full-disk'
import { ask, PROCEDURES } from './testing/ask'
import { browserOf, runtimeFor } from './testing/web'

const MIB = 2 ** 20

/** A disk of so many bytes. SQLite follows every link to where a file really is: a disk of another namespace would not do. */
const mounted: string[] = []
function tinyDisk(bytes: number): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'berth-tiny-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0700`, 'tiny', dir])
  mounted.push(dir)
  return dir
}
afterEach(() => {
  for (const dir of mounted.splice(0)) {
    execFileSync('umount', ['-l', dir])
    rmSync(dir, { recursive: true, force: true })
  }
})

it.skipIf(process.getuid?.() !== 0)(
  'X42: on a full disk mutations are refused as storage_full, reads work, stop and revoke work from the reserve',
  async () => {
    const dir = tinyDisk(8 * MIB)
    const file = path.join(dir, 'berth.db')
    migrateSqlite(file, 'prisma/sqlite/migrations')
    const db = await openDb(`file:${file}`)
    const seed = await seedTenant(db)
    const ctx = ctxFor(db, seed)
    const running = await seedRunning(ctx, await seedMachine(db, seed))
    const runtime = runtimeFor(db)
    const { cookie } = await browserOf(runtime, seed.owner.id)
    const other = await browserOf(runtime, seed.owner.id)
    expect(await keepReserve(placeOf(db), MIB)).toBe(true)
    const ballast = path.join(dir, 'ballast')
    expect(() => writeFileSync(ballast, Buffer.alloc(8 * MIB, 1))).toThrow('ENOSPC')

    const command = Array.from({ length: 64 }, () => 'x'.repeat(4000))
    const create = () => ask(runtime, 'workloads.create', { input: createInput({ spec: { command } }), cookie })
    await until('the disk is found full', async () => (await create()).berth?.code === 'storage_full')
    expect(isReserveSpent(placeOf(db))).toBe(true)
    const known = (await listWorkloads(ctx, { limit: 100 })).rows.length
    const info = await ask(runtime, 'system.info', { input: undefined, cookie })
    expect(info.data).toMatchObject({ isStorageFull: true })
    expect(await ask(runtime, 'workloads.rename', { input: { id: running.id, name: 'other' }, cookie })).toMatchObject({
      status: 503,
      berth: { code: 'storage_full' },
    })
    expect((await ask(runtime, 'workloads.park', { input: { id: running.id }, cookie })).status).toBe(200)
    expect((await ask(runtime, 'signIns.revoke', { input: { id: other.signInId }, cookie })).status).toBe(200)
    expect((await ask(runtime, 'me.get', { input: undefined, cookie: other.cookie })).status).toBe(401)
    expect((await listWorkloads(ctx, { limit: 100 })).rows).toHaveLength(known)
    expect(await db.$queryRawUnsafe('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])

    rmSync(ballast)
    expect(await keepReserve(placeOf(db), MIB)).toBe(true)
    expect((await create()).status).toBe(200)
    await db.$disconnect()
  },
)

it('X42: what goes on without room is in the API, and adds nothing', () => {
  const mutations = PROCEDURES.filter(([, { type }]) => type === 'mutation').map(([name]) => name)
  expect(mutations).toEqual(expect.arrayContaining([...WITHOUT_ROOM]))
  for (const name of ['workloads.create', 'workloads.resume', 'tokens.create', 'shares.set'])
    expect(WITHOUT_ROOM.has(name)).toBe(false)
})
