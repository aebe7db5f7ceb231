import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { LIMITS } from '@/domain/limits'
import { hashPassword } from '@/server/auth/passwords'
import { newToken } from '@/server/auth/secrets'
import { currentPassage, redeemTicket } from '@/server/auth/tickets'
import { createApiToken } from '@/server/service/api-tokens'
import { secretHash } from '@/server/service/secrets'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { createInput, ctxFor, type Seed, seedMachine, seedPlaced, seedTenant } from '@/testing/seed'
import { answerApi } from './answer'
import { type Answer, browserOf, call, ORIGIN, runtimeFor } from './testing/web'

const PASSWORD = 'correct horse battery'
const JSON_TYPE = { 'content-type': 'application/json' }

eachProvider('API tokens', (db) => {
  let seed: Seed
  beforeAll(async () => {
    seed = await seedTenant(db())
  })
  const tokenOf = async (scopes: string[], change: Record<string, unknown> = {}) => {
    const token = newToken('apiToken')
    const at = new TestClock().now()
    const days = (n: number) => new Date(at.getTime() + n * 86_400_000)
    await db().apiToken.create({
      data: {
        id: crypto.randomUUID(),
        tenantId: seed.tenantId,
        userId: seed.owner.id,
        name: 't',
        secretHash: secretHash(token),
        lastFour: token.slice(-4),
        scopes,
        createdAt: at,
        expiresAt: days(90),
        ...change,
      },
    })
    return { authorization: `Bearer ${token}` }
  }
  const get = (headers: Record<string, string>) => call(runtimeFor(db()), 'me.get', { headers })
  const create = (headers: Record<string, string>) =>
    answerApi(
      runtimeFor(db()),
      new Request(`${ORIGIN}/api/trpc/workloads.create`, {
        method: 'POST',
        headers: { ...JSON_TYPE, ...headers },
        body: JSON.stringify({ json: createInput() }),
      }),
    )

  it('need no origin, and do what their scopes say and no more', async () => {
    const read = await tokenOf(['read'])
    const write = await tokenOf(['read', 'write'])
    expect((await get(read)).data).toMatchObject({ id: seed.owner.id })
    expect((await create(read)).status).toBe(403)
    expect((await create(write)).status).toBe(200)
    expect((await get(await tokenOf(['write']))).status).toBe(200)
    expect((await create(await tokenOf(['admin']))).status).toBe(200)
    const list = (headers: Record<string, string>) => call(runtimeFor(db()), 'tokens.list', { headers })
    expect([(await list(read)).status, (await list(write)).status]).toEqual([403, 403])
    const admin = await tokenOf(['admin'])
    expect((await list(admin)).status).toBe(200)
    for (const path of ['signIns.list', 'tokens.create', 'me.changePassword', 'me.setTheme']) {
      const method = path === 'signIns.list' ? 'GET' : 'POST'
      expect([path, (await call(runtimeFor(db()), path, { method, headers: admin, input: {} })).status]).not.toEqual([path, 200])
      expect((await call(runtimeFor(db()), path, { method, headers: admin })).berth?.code).toBe('forbidden')
    }
  })

  it('end when they expire, are revoked, or their person leaves', async () => {
    const at = new TestClock().now()
    expect((await get(await tokenOf(['read'], { expiresAt: at }))).status).toBe(401)
    expect((await get(await tokenOf(['read'], { revokedAt: at }))).status).toBe(401)
    const left = await seedTenant(db())
    expect((await get(await tokenOf(['read'], { userId: left.owner.id }))).status).toBe(401)
  })

  it('A9: are refused in any other form, and never fall back to a cookie', async () => {
    const { authorization } = await tokenOf(['read'])
    const { cookie } = await browserOf(runtimeFor(db()), seed.owner.id)
    for (const wrong of [
      '',
      'Bearer',
      'Bearer x',
      `Basic ${authorization.slice(7)}`,
      `${authorization}x`,
      `${authorization} x`,
      authorization.slice(7),
    ])
      expect([wrong, (await get({ authorization: wrong })).status]).toEqual([wrong, 401])
    const both = await get({ authorization, cookie })
    expect(both.status).toBe(400)
    expect(both.berth).toMatchObject({ code: 'invalid', args: { field: 'authorization' } })
  })

  it('K13: with a wrong checksum are refused before any table is asked', async () => {
    const { authorization } = await tokenOf(['read'])
    const asked: unknown[] = []
    const watched = new Proxy(db(), {
      get: (at, name) => {
        if (name === 'apiToken') asked.push(name)
        return Reflect.get(at, name)
      },
    })
    const status = async (value: string) =>
      (await call(runtimeFor(watched), 'me.get', { headers: { authorization: value } })).status
    const last = authorization.endsWith('0') ? '1' : '0'
    expect([await status(authorization.slice(0, -1) + last), asked]).toEqual([401, []])
    expect([await status(authorization), asked.length > 0]).toEqual([200, true])
  })

  it('remember when they were last used', async () => {
    const headers = await tokenOf(['read'])
    await get(headers)
    const row = await db().apiToken.findUniqueOrThrow({ where: { secretHash: secretHash(headers.authorization.slice(7)) } })
    expect(row.lastUsedAt).toEqual(new TestClock().now())
  })
})

eachProvider('tokens of a person', (db) => {
  const clock = new TestClock()
  const runtime = () => runtimeFor(db(), clock)
  let seed: Seed
  let cookie: string
  beforeAll(async () => {
    seed = await seedTenant(db())
    cookie = (await browserOf(runtime(), seed.owner.id)).cookie
    const passwordHash = await hashPassword(PASSWORD)
    await db().identity.updateMany({ where: { userId: seed.owner.id }, data: { passwordHash } })
  })
  const post = (path: string, input: unknown, headers: Record<string, string> = { cookie }) =>
    call(runtime(), path, { method: 'POST', input, headers })
  const ask = { name: 'ci', scopes: ['read'], password: PASSWORD }
  const make = async (change: Record<string, unknown> = {}) => post('tokens.create', { ...ask, ...change })
  const made = z.object({ id: z.string(), token: z.string() })
  const bearer = (answer: Answer) => ({ authorization: `Bearer ${made.parse(answer.data).token}` })

  it('K1: are shown once, kept as a hash, listed with what they may and when they were used, and end when revoked', async () => {
    const answer = await make({ days: 30 })
    const { id, token } = made.parse(answer.data)
    expect(token).toMatch(/^berth_pat_[0-9A-Za-z]{49}$/)
    expect(JSON.stringify(await db().apiToken.findMany())).not.toContain(token)
    expect((await call(runtime(), 'me.get', { headers: bearer(answer) })).data).toMatchObject({ id: seed.owner.id })
    const list = async () => (await call(runtime(), 'tokens.list', { headers: { cookie } })).data
    const row = { id, name: 'ci', scopes: ['read'], lastFour: token.slice(-4), revokedAt: null, lastUsedAt: clock.now() }
    expect(await list()).toMatchObject([{ ...row, expiresAt: new Date(clock.now().getTime() + 30 * 86_400_000) }])
    expect((await post('tokens.revoke', { id })).status).toBe(200)
    expect((await call(runtime(), 'me.get', { headers: bearer(answer) })).status).toBe(401)
    expect(await list()).toMatchObject([{ id, revokedAt: clock.now() }])
    expect((await post('tokens.revoke', { id })).status).toBe(404)
  })

  it('A16: a stolen cookie alone makes none, and guesses no password by it', async () => {
    expect((await make({ password: undefined })).berth).toMatchObject({ code: 'invalid', args: { field: 'password' } })
    const wrong = () => make({ password: 'wrong horse battery' })
    expect((await wrong()).berth).toMatchObject({ code: 'invalid', args: { field: 'password', limit: 'not your password' } })
    for (let tries = 0; tries < 5; tries++) await wrong()
    expect((await make()).berth?.code).toBe('over_limit')
    clock.advance(LIMITS.signInDelayMaxSeconds * 1000)
    expect((await make()).status).toBe(200)
    await db().apiToken.deleteMany({ where: { userId: seed.owner.id } })
  })

  it('live at most a year, have a name and a known scope, and are no more than 50', async () => {
    const wrong = [
      { days: 0 },
      { days: 366 },
      { days: 1.5 },
      { name: ' ' },
      { name: 'x'.repeat(61) },
      { scopes: [] },
      { scopes: ['root'] },
    ]
    for (const change of wrong) expect([change, (await make(change)).berth?.code]).toEqual([change, 'invalid'])
    expect((await make({ days: 365 })).status).toBe(200)
    const maker = ctxFor(db(), seed)
    for (let living = 1; living < LIMITS.apiTokensPerUser; living++)
      await createApiToken({ ...maker, now: () => clock.now() }, { name: 'ci', scopes: ['read'], days: 1 })
    const both = await Promise.all([make(), make()])
    for (const answer of both) expect(answer.berth).toMatchObject({ code: 'over_limit', args: { max: LIMITS.apiTokensPerUser } })
    await db().apiToken.updateMany({ where: { userId: seed.owner.id }, data: { revokedAt: clock.now() } })
    expect((await make()).status).toBe(200)
  })

  it('come from e-mail and password too, under the limits of the sign-in page, and end themselves', async () => {
    const signIn = (password: string, change: Record<string, unknown> = {}) =>
      post('tokens.signIn', { email: seed.owner.email, password, name: 'cli', days: 90, ...change }, {})
    expect((await signIn('wrong horse battery')).berth?.code).toBe('bad_sign_in')
    const answer = await signIn(PASSWORD)
    expect((await call(runtime(), 'tokens.list', { headers: bearer(answer) })).status).toBe(200)
    expect((await post('tokens.end', undefined, bearer(answer))).status).toBe(200)
    expect((await call(runtime(), 'me.get', { headers: bearer(answer) })).status).toBe(401)
    for (let tries = 0; tries < 6; tries++) await signIn('wrong horse battery')
    expect((await signIn(PASSWORD)).status).toBe(429)
    clock.advance(LIMITS.signInDelayMaxSeconds * 1000)
    expect((await signIn(PASSWORD, { scopes: ['read'] })).status).toBe(200)
  })

  it('mint tickets that end with them', async () => {
    const machine = await seedMachine(db(), seed)
    const workload = await seedPlaced(ctxFor(db(), seed), machine)
    const token = await make({ scopes: ['write'] })
    const ask = { workloadId: workload.id, purpose: 'terminal-view' }
    const minted = async () =>
      z.object({ ticket: z.string() }).parse((await post('workloads.ticket', ask, bearer(token))).data).ticket
    const redeem = (secret: string) => redeemTicket(db(), { secret, purposes: ['terminal-view'], nonce: null, at: clock.now() })
    const late = await minted()
    const { ticket } = await redeem(await minted())
    expect(ticket.apiTokenId).toBe(made.parse(token.data).id)
    expect(await currentPassage(db(), ticket, clock.now())).not.toBeNull()
    await post('tokens.revoke', { id: made.parse(token.data).id })
    expect(await currentPassage(db(), ticket, clock.now())).toBeNull()
    await expect(redeem(late)).rejects.toMatchObject({ code: 'ticket' })
  })
})
