import { v7 } from 'uuid'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '@/server/store/db'
import { ensureInstallation, putSetupSecret } from '@/server/store/system/setup'
import { TestClock } from '@/testing/clock'
import { freshDatabase, PROVIDERS } from '@/testing/databases'
import { secretHash } from './secrets'
import { createFirstAccount, isSetupOpen } from './setup'

describe.each(PROVIDERS)('the first account on %s', (provider) => {
  let db: Db
  let clock: TestClock
  const system = () => ({ db, now: () => clock.now(), newId: v7 })
  const account = (change: object = {}) => ({
    secret: 'right',
    name: 'Mara',
    email: 'mara@example.test',
    passwordHash: 'hash',
    tenantName: 'Harbor',
    ...change,
  })
  const issue = (secret: string, minutes = 15) =>
    putSetupSecret(db, {
      id: v7(),
      secretHash: secretHash(secret),
      createdAt: clock.now(),
      expiresAt: new Date(clock.now().getTime() + minutes * 60_000),
    })

  beforeEach(async () => {
    const fresh = await freshDatabase(provider)
    db = fresh.db
    clock = new TestClock()
    await ensureInstallation(db, { id: v7(), at: clock.now() })
    await issue('right')
    return fresh.drop
  })

  it('is exactly one when 50 come at once with the right secret', async () => {
    const attempts = Array.from({ length: 50 }, (_, i) => createFirstAccount(system(), account({ email: `p${i}@example.test` })))
    const results = await Promise.allSettled(attempts)
    expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(1)
    const codes = results.flatMap((r) => (r.status === 'rejected' ? [r.reason.code] : []))
    expect(new Set(codes)).toEqual(new Set(['setup_closed']))
    expect([await db.user.count(), await db.tenant.count(), await db.identity.count()]).toEqual([1, 1, 1])
  })

  it('is the operator and owns a trusted tenant with a quota row', async () => {
    const { userId, tenantId } = await createFirstAccount(system(), account())
    expect(await db.user.findUnique({ where: { id: userId } })).toMatchObject({ isOperator: true, email: 'mara@example.test' })
    expect(await db.membership.findFirst({ where: { tenantId } })).toMatchObject({ userId, role: 'owner' })
    expect(await db.tenant.findUnique({ where: { id: tenantId } })).toMatchObject({ trust: 'trusted', name: 'Harbor' })
    expect(await db.quota.count({ where: { tenantId, userKey: '' } })).toBe(1)
    expect(await isSetupOpen(system())).toBe(false)
  })

  it('cannot be made with a wrong, an old or a replaced secret, and the set-up stays open', async () => {
    await expect(createFirstAccount(system(), account({ secret: 'wrong' }))).rejects.toMatchObject({ code: 'setup_secret' })
    clock.advance(15 * 60_000)
    await expect(createFirstAccount(system(), account())).rejects.toMatchObject({ code: 'setup_secret' })
    await issue('second')
    await issue('third')
    await expect(createFirstAccount(system(), account({ secret: 'second' }))).rejects.toMatchObject({ code: 'setup_secret' })
    expect(await isSetupOpen(system())).toBe(true)
    expect(await db.user.count()).toBe(0)
    await createFirstAccount(system(), account({ secret: 'third' }))
  })

  it('closes the set-up for ever, also for a new secret', async () => {
    await createFirstAccount(system(), account())
    await issue('later')
    const again = createFirstAccount(system(), account({ secret: 'later', email: 'x@example.test' }))
    await expect(again).rejects.toMatchObject({ code: 'setup_closed' })
    expect(await db.user.count()).toBe(1)
  })
})
