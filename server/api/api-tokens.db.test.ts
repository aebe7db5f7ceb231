import { beforeAll, expect, it } from 'vitest'
import { newToken } from '@/server/auth/secrets'
import { secretHash } from '@/server/service/secrets'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { createInput, type Seed, seedTenant } from '@/testing/seed'
import { answerApi } from './answer'
import { browserOf, call, ORIGIN, runtimeFor } from './testing/web'

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
    expect((await get(await tokenOf(['write']))).status).toBe(403)
    expect((await call(runtimeFor(db()), 'signIns.list', { headers: write })).berth?.code).toBe('forbidden')
  })

  it('end when they expire, are revoked, or their person leaves', async () => {
    const at = new TestClock().now()
    expect((await get(await tokenOf(['read'], { expiresAt: at }))).status).toBe(401)
    expect((await get(await tokenOf(['read'], { revokedAt: at }))).status).toBe(401)
    const left = await seedTenant(db())
    expect((await get(await tokenOf(['read'], { userId: left.owner.id }))).status).toBe(401)
  })

  it('are refused in any other form, and never fall back to a cookie', async () => {
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

  it('remember when they were last used', async () => {
    const headers = await tokenOf(['read'])
    await get(headers)
    const row = await db().apiToken.findUniqueOrThrow({ where: { secretHash: secretHash(headers.authorization.slice(7)) } })
    expect(row.lastUsedAt).toEqual(new TestClock().now())
  })
})
