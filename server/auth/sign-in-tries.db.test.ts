import { beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { LIMITS } from '@/domain/limits'
import { browserOf, call, runtimeFor } from '@/server/api/testing/web'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { type Seed, seedTenant } from '@/testing/seed'
import { resetPassword } from './account'
import { AddressTries } from './address-tries'
import { hashPassword } from './passwords'
import type { Runtime } from './runtime'
import { HERE } from './sign-in'
import { postAuth } from './testing/post-auth'

const PASSWORD = 'correct horse battery'

eachProvider('wrong passwords', (db) => {
  let seed: Seed
  let clock: TestClock
  let runtime: Runtime
  beforeEach(async () => {
    Reflect.deleteProperty(globalThis, 'berthSignIn')
    seed = await seedTenant(db())
    clock = new TestClock()
    runtime = runtimeFor(db(), clock)
    await db().identity.updateMany({ where: { userId: seed.owner.id }, data: { passwordHash: await hashPassword(PASSWORD) } })
  })
  const tryIt = (email: string, password: string, headers: Record<string, string> = {}) =>
    postAuth(runtime, 'callback/credentials', { fields: { email, password }, headers })

  it('A2: cost a growing delay after five, also for an address without an account, and never for good', async () => {
    for (const email of [seed.owner.email, `nobody-${seed.tenantId}@example.test`]) {
      for (let i = 0; i < 5; i++) expect((await tryIt(email, 'wrong horse battery')).status).toBe(401)
      for (const seconds of [1, 2, 4]) {
        const refused = await tryIt(email, PASSWORD, { 'x-forwarded-for': `10.0.0.${seconds}` })
        expect(refused.status).toBe(429)
        expect(refused.headers.get('retry-after')).toBe(String(seconds))
        expect(refused.berth).toMatchObject({ code: 'over_limit', args: { retrySeconds: seconds } })
        clock.advance(seconds * 1000)
        expect((await tryIt(email, 'wrong horse battery')).status).toBe(401)
      }
    }
    clock.advance(8000)
    expect((await tryIt(seed.owner.email, PASSWORD)).status).toBe(200)
    expect(await db().identity.findFirst({ where: { userId: seed.owner.id } })).toMatchObject({ failures: 0, lockedUntil: null })
  })

  it('A2: do not delay another account', async () => {
    const other = await seedTenant(db())
    await db().identity.updateMany({ where: { userId: other.owner.id }, data: { passwordHash: await hashPassword(PASSWORD) } })
    for (let i = 0; i < 6; i++) await tryIt(seed.owner.email, 'wrong horse battery')
    expect((await tryIt(other.owner.email, PASSWORD)).status).toBe(200)
  })

  it('A4: of 60 at once: no more than five are looked at', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => tryIt(seed.owner.email, 'wrong horse battery')))
    expect(answers.filter((a) => a.status === 401)).toHaveLength(5)
    expect(answers.filter((a) => a.status === 429)).toHaveLength(55)
    const identity = await db().identity.findFirst({ where: { userId: seed.owner.id } })
    expect(identity?.failures).toBe(5)
  })

  it('A4: of a megabyte are refused before they cost a hash or count', async () => {
    expect((await tryIt(seed.owner.email, 'x'.repeat(2 ** 20))).berth).toMatchObject({ code: 'invalid', args: { field: 'body' } })
    expect((await tryIt(seed.owner.email, 'x'.repeat(200))).berth).toMatchObject({ code: 'invalid', args: { field: 'password' } })
    expect(await db().identity.findFirst({ where: { userId: seed.owner.id } })).toMatchObject({ failures: 0 })
  })

  it('A2: from one address are bounded over all accounts, for a minute at most and before any hash', async () => {
    await tryIt('nobody@example.test', 'wrong horse battery')
    const { addresses } = z.object({ addresses: z.instanceof(AddressTries) }).parse(Reflect.get(globalThis, 'berthSignIn'))
    for (let count = 0; count < LIMITS.signInFailuresPerAddress; count++) addresses.note(HERE, clock.now())
    const refused = await tryIt(seed.owner.email, PASSWORD)
    expect(refused.berth).toMatchObject({ code: 'over_limit', args: { max: LIMITS.signInFailuresPerAddress, retrySeconds: 60 } })
    clock.advance(60_000)
    expect((await tryIt(seed.owner.email, PASSWORD)).status).toBe(200)
  })

  it('never lock the owner out for good: who is at this computer sets another one, which ends waiting and sign-ins', async () => {
    for (let tries = 0; tries < 5; tries++) await tryIt(seed.owner.email, 'wrong horse battery')
    const signedIn = await browserOf(runtime, seed.owner.id)
    const reset = (email: string, password: string) => resetPassword(runtime, { email, password })
    await expect(reset(seed.owner.email, 'too short')).rejects.toMatchObject({ code: 'invalid', args: { field: 'password' } })
    await expect(reset('nobody@example.test', 'granite plover tidal')).rejects.toMatchObject({ code: 'not_found' })
    expect(await reset(seed.owner.email.toUpperCase(), 'granite plover tidal')).toEqual({ revoked: 1 })
    expect((await call(runtime, 'me.get', { headers: { cookie: signedIn.cookie } })).status).toBe(401)
    expect((await tryIt(seed.owner.email, 'granite plover tidal')).status).toBe(200)
  })
})
