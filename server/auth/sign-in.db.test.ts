import { encode } from 'next-auth/jwt'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { LIMITS } from '@/domain/limits'
import { call, runtimeFor } from '@/server/api/testing/web'
import { secretHash } from '@/server/service/secrets'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { type Seed, seedTenant } from '@/testing/seed'
import { SESSION_COOKIE } from './cookies'
import { sidOfCookie } from './identify'
import { hashPassword } from './passwords'
import type { Runtime } from './runtime'
import { postAuth } from './testing/post-auth'

const PASSWORD = 'correct horse battery'
const HOUR = 3_600_000

eachProvider('signing in', (db) => {
  let seed: Seed
  let clock: TestClock
  let runtime: Runtime
  let hash: string
  beforeAll(async () => {
    hash = await hashPassword(PASSWORD)
  })
  beforeEach(async () => {
    seed = await seedTenant(db())
    clock = new TestClock()
    runtime = runtimeFor(db(), clock)
    await db().identity.updateMany({ where: { userId: seed.owner.id }, data: { passwordHash: hash } })
  })

  const me = (cookie: string) => call(runtime, 'me.get', { headers: { cookie } })
  const signIn = (fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    postAuth(runtime, 'callback/credentials', { fields: { email: seed.owner.email, password: PASSWORD, ...fields }, headers })
  const rows = () => db().signIn.findMany({ where: { userId: seed.owner.id } })

  it('gives a cookie that holds a random value only; the row has its hash', async () => {
    const answer = await signIn({}, { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0 Safari/537.36' })
    expect(answer.status).toBe(200)
    const set = answer.cookies.find((c) => c.startsWith(SESSION_COOKIE)) ?? ''
    expect(set).toMatch(/; Path=\/;.*HttpOnly; Secure; SameSite=Lax$/)
    expect(set).not.toContain('Domain')
    const sid = (await sidOfCookie(runtime.authSecret, answer.session.split('=')[1] ?? '')) ?? ''
    expect(Buffer.from(sid, 'base64url')).toHaveLength(32)
    expect(await rows()).toMatchObject([{ secretHash: secretHash(sid), device: 'Chrome on Linux', revokedAt: null }])
    expect(JSON.stringify(await rows())).not.toContain(sid)
    expect((await me(answer.session)).data).toMatchObject({
      id: seed.owner.id,
      email: seed.owner.email,
      tenant: { id: seed.tenantId },
    })
  })

  it('A17: takes the address in any case, and from a form as well', async () => {
    expect((await signIn({ email: `  ${seed.owner.email.toUpperCase()} ` })).status).toBe(200)
    const form = await postAuth(runtime, 'callback/credentials', {
      fields: { email: seed.owner.email, password: PASSWORD },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(form.status).toBe(200)
  })

  it('A3: refuses a wrong password, an unknown and a disabled account alike', async () => {
    const wrong = await signIn({ password: 'wrong horse battery' })
    const unknown = await signIn({ email: 'nobody@example.test' })
    const strange = await signIn({ email: 'not an address' })
    await db().user.update({ where: { id: seed.owner.id }, data: { disabledAt: clock.now() } })
    const disabled = await signIn()
    for (const answer of [wrong, unknown, strange, disabled]) {
      expect(answer.status).toBe(401)
      expect(answer.berth).toMatchObject({ code: 'bad_sign_in', args: {} })
      expect(answer.session).toBe('')
    }
    expect(new Set([wrong, unknown, strange, disabled].map((a) => a.text.replace(/"requestId":"[^"]+"/, ''))).size).toBe(1)
    expect(await rows()).toHaveLength(0)
  })

  it('ends at the next request once its row is revoked', async () => {
    const { session } = await signIn()
    expect((await me(session)).status).toBe(200)
    await db().signIn.updateMany({ where: { userId: seed.owner.id }, data: { revokedAt: clock.now() } })
    expect((await me(session)).berth?.code).toBe('unauthenticated')
  })

  it('A14: ends when its person is disabled or leaves the tenant', async () => {
    const { session } = await signIn()
    const disable = (disabledAt: Date | null) => db().user.update({ where: { id: seed.owner.id }, data: { disabledAt } })
    await disable(clock.now())
    expect((await me(session)).status).toBe(401)
    await disable(null)
    expect((await me(session)).status).toBe(200)
    await db().membership.deleteMany({ where: { userId: seed.owner.id } })
    expect((await me(session)).status).toBe(401)
  })

  it('ends after 12 idle hours, and after 7 days in any case', async () => {
    const { session } = await signIn()
    clock.advance(LIMITS.signInIdleHours * HOUR - 1)
    expect((await me(session)).status).toBe(200)
    clock.advance(LIMITS.signInIdleHours * HOUR + 1)
    expect((await me(session)).status).toBe(401)

    const busy = (await signIn()).session
    for (let hours = 0; hours < 7 * 24; hours += 8) {
      expect([hours, (await me(busy)).status]).toEqual([hours, 200])
      clock.advance(8 * HOUR)
    }
    expect((await me(busy)).status).toBe(401)
  })

  it('notes its last use at most once a minute', async () => {
    const { session } = await signIn()
    const last = async () => (await rows())[0]?.lastUsedAt.getTime()
    const first = await last()
    clock.advance(59_000)
    await me(session)
    expect(await last()).toBe(first)
    clock.advance(2000)
    await me(session)
    expect(await last()).toBe(clock.now().getTime())
  })

  it('A5: makes a new value each time and ends the sign-in that this browser had', async () => {
    const first = await signIn()
    const second = await signIn({}, { cookie: first.session })
    expect(second.session).not.toBe(first.session)
    expect((await me(first.session)).status).toBe(401)
    expect((await me(second.session)).status).toBe(200)
  })

  it('A5: believes no cookie that it did not make', async () => {
    const { session } = await signIn()
    const planted = await encode({ token: { sid: 'mine' }, secret: 'b'.repeat(43) })
    const unknown = await encode({ token: { sid: 'x'.repeat(43) }, secret: runtime.authSecret })
    const expired = await encode({ token: { sid: 'x' }, secret: runtime.authSecret, maxAge: -60 })
    for (const value of ['', 'x', 'a.b.c.d.e', planted, unknown, expired, session.slice(SESSION_COOKIE.length + 1, -1)])
      expect([value, (await me(`${SESSION_COOKIE}=${value}`)).status]).toEqual([value, 401])
    const tossed = await me(`${SESSION_COOKIE}=x; ${session}`)
    expect(tossed.berth).toMatchObject({ code: 'invalid', args: { field: 'cookie' } })
  })

  it('ends by signing out', async () => {
    const { session } = await signIn()
    const out = await postAuth(runtime, 'signout', { headers: { cookie: session } })
    expect(out.status).toBe(200)
    expect(out.cookies.some((c) => c.startsWith(`${SESSION_COOKIE}=;`))).toBe(true)
    expect((await me(session)).status).toBe(401)
  })
})
