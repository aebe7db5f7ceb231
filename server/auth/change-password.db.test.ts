import { beforeEach, expect, it } from 'vitest'
import { browserOf, call, runtimeFor } from '@/server/api/testing/web'
import { mintTicket } from '@/server/service/tickets'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { ctxFor, type Seed, seedMachine, seedPlaced, seedTenant } from '@/testing/seed'
import { hashPassword } from './passwords'
import { postAuth } from './testing/post-auth'
import { currentPassage, redeemTicket } from './tickets'

const PASSWORD = 'correct horse battery'
const NEXT = 'granite plover tidal'

eachProvider('changing the password', (db) => {
  const clock = new TestClock()
  const runtime = () => runtimeFor(db(), clock)
  let seed: Seed
  let here: { cookie: string; signInId: string }
  beforeEach(async () => {
    seed = await seedTenant(db())
    here = await browserOf(runtime(), seed.owner.id)
    const passwordHash = await hashPassword(PASSWORD)
    await db().identity.updateMany({ where: { userId: seed.owner.id }, data: { passwordHash } })
  })
  const change = (current: string, next: string) =>
    call(runtime(), 'me.changePassword', { method: 'POST', input: { current, next }, headers: { cookie: here.cookie } })
  const signIn = (password: string) =>
    postAuth(runtime(), 'callback/credentials', { fields: { email: seed.owner.email, password } })

  it('A13: ends every other sign-in and what they opened, keeps this one, and only the new one works from then on', async () => {
    const there = await browserOf(runtime(), seed.owner.id)
    const workload = await seedPlaced(ctxFor(db(), seed), await seedMachine(db(), seed))
    const opened = async (signInId: string) => {
      const ctx = ctxFor(db(), seed, { signInId, clock })
      const { ticket: secret } = await mintTicket(ctx, { workloadId: workload.id, purpose: 'terminal-control' })
      return (await redeemTicket(db(), { secret, purposes: ['terminal-control'], nonce: null, at: clock.now() })).ticket
    }
    const [theirs, ours] = [await opened(there.signInId), await opened(here.signInId)]
    expect((await change(PASSWORD, NEXT)).data).toEqual({ revoked: 1 })
    expect((await call(runtime(), 'me.get', { headers: { cookie: there.cookie } })).status).toBe(401)
    expect((await call(runtime(), 'me.get', { headers: { cookie: here.cookie } })).status).toBe(200)
    expect(await currentPassage(db(), theirs, clock.now())).toBeNull()
    expect(await currentPassage(db(), ours, clock.now())).not.toBeNull()
    expect([(await signIn(PASSWORD)).status, (await signIn(NEXT)).status]).toEqual([401, 200])
  })

  it('asks for the current one, whose wrong tries cost the delay of a sign-in', async () => {
    for (let tries = 0; tries < 5; tries++)
      expect((await change('wrong horse battery', NEXT)).berth).toMatchObject({ code: 'invalid', args: { field: 'current' } })
    expect((await change(PASSWORD, NEXT)).status).toBe(429)
    clock.advance(1000)
    expect((await change(PASSWORD, NEXT)).status).toBe(200)
  })

  it('refuses a short, a long, a common and the same password, naming field and limit, before any hash', async () => {
    const wrong = { 'granite plover': 'at least 15', ['ab7'.repeat(43)]: 'at most 128', passwordpassword: 'too easy to guess' }
    for (const [next, limit] of Object.entries(wrong)) {
      const { berth } = await change(PASSWORD, next)
      expect(berth).toMatchObject({ code: 'invalid', args: { field: 'next', limit: expect.stringContaining(limit) } })
    }
    expect((await change(PASSWORD, PASSWORD)).berth).toMatchObject({ code: 'invalid', args: { field: 'next' } })
    expect((await signIn(PASSWORD)).status).toBe(200)
  })
})
