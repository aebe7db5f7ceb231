import { expect, it } from 'vitest'
import { LIMITS } from '@/domain/limits'
import { clearFailures, countFailure, localIdentity, lockIdentity } from '@/server/store/system/accounts'
import { findSignIn, insertSignIn, touchSignIn } from '@/server/store/system/sign-ins'
import { consumeTicket } from '@/server/store/system/tickets'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { ctxFor, seedMachine, seedRunning, seedTenant } from '@/testing/seed'
import { getMe, setTheme } from './me'
import { secretHash } from './secrets'
import { listSignIns, revokeOtherSignIns, revokeSignIn } from './sign-ins'
import { mintTicket } from './tickets'

const HOUR_MS = 3_600_000

eachProvider('sign-ins', (get) => {
  async function signedIn(count = 1) {
    const clock = new TestClock()
    const seed = await seedTenant(get())
    const plain = ctxFor(get(), seed, { clock })
    const ids = Array.from({ length: count }, () => plain.newId())
    const at = clock.now()
    const expiresAt = new Date(at.getTime() + LIMITS.signInDays * 24 * HOUR_MS)
    for (const id of ids)
      await insertSignIn(get(), {
        id,
        userId: seed.owner.id,
        secretHash: id,
        device: 'Firefox',
        address: '127.0.0.1',
        at,
        expiresAt,
      })
    return { clock, seed, ids, id: ids[0] ?? '', ctx: { ...plain, signInId: ids[0] ?? null } }
  }

  it('name the person and their tenants, until revoked', async () => {
    const { ctx, seed, id } = await signedIn()
    expect(await findSignIn(get(), id, ctx.now())).toMatchObject({
      signIn: { id, device: 'Firefox' },
      person: { id: seed.owner.id, name: 'Mara' },
      memberships: [{ tenantId: seed.tenantId, role: 'owner' }],
    })
    await revokeSignIn(ctx, id)
    expect(await findSignIn(get(), id, ctx.now())).toBeNull()
    await expect(revokeSignIn(ctx, id)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('end after 12 idle hours and after 7 days in all', async () => {
    const { ctx, id, clock } = await signedIn()
    expect(await findSignIn(get(), id, new Date(ctx.now().getTime() + LIMITS.signInIdleHours * HOUR_MS))).toBeNull()
    for (let hour = 0; hour < LIMITS.signInDays * 24; hour += 6) {
      expect(await findSignIn(get(), id, ctx.now())).not.toBeNull()
      await touchSignIn(get(), { id, at: clock.now(), everySeconds: 60 })
      clock.advance(6 * HOUR_MS)
    }
    expect(await findSignIn(get(), id, ctx.now())).toBeNull()
  })

  it.each([HOUR_MS, -HOUR_MS])(
    'X31: outlive a clock that is set by %i ms, and a ticket is used once all the same',
    async (ms) => {
      const { ctx, id, clock, seed } = await signedIn()
      const machine = await seedMachine(get(), seed)
      const workload = await seedRunning(ctx, machine)
      const used = async (ticket: string) =>
        consumeTicket(get(), { hash: secretHash(ticket), purposes: ['terminal-view'], nonceHash: null, at: clock.now() })
      const before = await mintTicket(ctx, { workloadId: workload.id, purpose: 'terminal-view' })
      clock.advance(ms)
      expect(await findSignIn(get(), id, ctx.now())).not.toBeNull()
      const after = await mintTicket(ctx, { workloadId: workload.id, purpose: 'terminal-view' })
      const uses = [await used(before.ticket), await used(before.ticket), await used(after.ticket), await used(after.ticket)]
      expect(uses.map((use) => use !== null)).toEqual([ms < 0, false, true, false])
    },
  )

  it('write their last use at most once a minute', async () => {
    const { ctx, id, clock } = await signedIn()
    const lastUse = async () => (await findSignIn(get(), id, clock.now()))?.signIn.lastUsedAt
    const first = ctx.now()
    await touchSignIn(get(), { id, at: clock.advance(59_000), everySeconds: 60 })
    expect(await lastUse()).toEqual(first)
    await touchSignIn(get(), { id, at: clock.advance(2000), everySeconds: 60 })
    expect(await lastUse()).toEqual(clock.now())
  })

  it('are listed and ended by their own person only', async () => {
    const { ctx, ids } = await signedIn(3)
    const stranger = await signedIn()
    expect((await listSignIns(ctx)).map((row) => row.isCurrent).filter(Boolean)).toHaveLength(1)
    expect(await listSignIns(ctx)).toHaveLength(3)
    await expect(revokeSignIn(stranger.ctx, ids[1] ?? '')).rejects.toMatchObject({ code: 'not_found' })
    expect(await revokeOtherSignIns(ctx)).toEqual({ revoked: 2 })
    expect((await listSignIns(ctx)).map((row) => row.id)).toEqual([ids[0]])
    expect(await listSignIns(stranger.ctx)).toHaveLength(1)
  })

  it('count failures without losing one, and forget them after a success', async () => {
    const { seed, ctx } = await signedIn()
    const identity = await localIdentity(get(), seed.owner.email)
    const counts = await Promise.all(Array.from({ length: 10 }, () => countFailure(get(), identity?.id ?? '')))
    expect(Math.max(...counts)).toBe(10)
    await lockIdentity(get(), identity?.id ?? '', ctx.now())
    expect(await localIdentity(get(), seed.owner.email)).toMatchObject({ failures: 10, lockedUntil: ctx.now() })
    await clearFailures(get(), identity?.id ?? '', 'stronger')
    expect(await localIdentity(get(), seed.owner.email)).toMatchObject({
      failures: 0,
      lockedUntil: null,
      passwordHash: 'stronger',
    })
    await get().user.update({ where: { id: seed.owner.id }, data: { disabledAt: ctx.now() } })
    expect(await localIdentity(get(), seed.owner.email)).toBeNull()
    expect(await localIdentity(get(), 'nobody@example.test')).toBeNull()
  })

  it('know the person’s tenant and theme', async () => {
    const { ctx, seed } = await signedIn()
    expect(await getMe(ctx)).toMatchObject({ id: seed.owner.id, theme: 'system', tenant: { name: 'Harbor', trust: 'trusted' } })
    await setTheme(ctx, 'dark')
    expect((await getMe(ctx)).theme).toBe('dark')
  })
})
