import { beforeAll, expect, it } from 'vitest'
import { LIMITS } from '@/domain/limits'
import type { Log } from '@/kit/log'
import { TestClock } from '@/testing/clock'
import { eachProvider } from '@/testing/databases'
import { createInput, type Seed, seedTenant } from '@/testing/seed'
import { answerApi } from './answer'
import { browserOf, call, ORIGIN, OURS, runtimeFor } from './testing/web'

const JSON_TYPE = { 'content-type': 'application/json' }

eachProvider('the API', (db) => {
  let seed: Seed
  let cookie: string
  beforeAll(async () => {
    seed = await seedTenant(db())
    cookie = (await browserOf(runtimeFor(db()), seed.owner.id)).cookie
  })
  const setTheme = (headers: Record<string, string>, body = '{"json":{"theme":"dark"}}') =>
    answerApi(runtimeFor(db()), new Request(`${ORIGIN}/api/trpc/me.setTheme`, { method: 'POST', headers, body }))
  const theme = async () => (await db().user.findUniqueOrThrow({ where: { id: seed.owner.id } })).theme

  it('A9: lets a mutation by cookie pass only as same-origin JSON', async () => {
    const refused: Record<string, string>[] = [
      { ...JSON_TYPE },
      { ...JSON_TYPE, 'sec-fetch-site': 'cross-site', origin: ORIGIN },
      { ...JSON_TYPE, 'sec-fetch-site': 'same-site', origin: 'http://w-a.localhost:7481' },
      { ...JSON_TYPE, 'sec-fetch-site': 'none' },
      { ...JSON_TYPE, origin: 'http://localhost:7480' },
      { ...JSON_TYPE, origin: 'null' },
      { ...OURS, 'content-type': 'text/plain' },
      { ...OURS, 'content-type': 'application/x-www-form-urlencoded' },
      { ...OURS, 'content-type': 'multipart/form-data; boundary=x' },
      { ...OURS },
    ]
    for (const headers of refused) {
      const answer = await setTheme({ ...headers, cookie })
      expect([headers, answer.status]).toEqual([headers, 403])
      expect(await answer.text()).toContain('bad_origin')
    }
    expect(await theme()).toBe('system')
    expect((await setTheme({ ...JSON_TYPE, ...OURS, cookie })).status).toBe(200)
    expect(await theme()).toBe('dark')
    expect((await setTheme({ ...JSON_TYPE, origin: ORIGIN, cookie }, '{"json":{"theme":"light"}}')).status).toBe(200)
    expect(await theme()).toBe('light')
  })

  it('answers 401 to a same-origin mutation without a sign-in, 405 to a mutation by GET', async () => {
    expect((await setTheme({ ...JSON_TYPE, ...OURS })).status).toBe(401)
    const byGet = await call(runtimeFor(db()), 'me.setTheme', { input: { theme: 'dark' }, headers: { cookie } })
    expect(byGet.status).toBe(405)
    expect(byGet.berth).toMatchObject({ code: 'invalid', args: { field: 'method' } })
    expect(
      (await answerApi(runtimeFor(db()), new Request(`${ORIGIN}/api/trpc/me.get`, { method: 'PUT', headers: { cookie } })))
        .status,
    ).toBe(400)
  })

  it('refuses another site that reads', async () => {
    for (const site of ['cross-site', 'same-site'])
      expect((await call(runtimeFor(db()), 'me.get', { headers: { cookie, 'sec-fetch-site': site } })).status).toBe(403)
    expect((await call(runtimeFor(db()), 'me.get', { headers: { cookie, 'sec-fetch-site': 'none' } })).status).toBe(200)
  })

  it('T9: has no CORS header, is never kept, and names each request', async () => {
    const { headers } = await call(runtimeFor(db()), 'me.get', { headers: { cookie, origin: ORIGIN } })
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers.get('vary')).toContain('cookie')
  })

  it('T8: bounds batch, body and depth before anything is parsed', async () => {
    const names = Array.from({ length: LIMITS.batchMax + 1 }, () => 'me.get')
    for (const path of [`${names.join(',')}?batch=1`, `${names.join('%2C')}?batch=1`, names.join(',')]) {
      const answer = await call(runtimeFor(db()), path, { headers: { cookie } })
      expect(answer.berth).toMatchObject({ code: 'invalid', args: { field: 'batch' } })
    }
    const ten = names.slice(1).join(',')
    expect((await call(runtimeFor(db()), `${ten}?batch=1`, { headers: { cookie } })).status).toBe(200)
    const post = (body: string) => call(runtimeFor(db()), 'me.setTheme', { method: 'POST', body, headers: { cookie } })
    expect((await post(`{"json":{"theme":"${'x'.repeat(LIMITS.jsonBytes)}"}}`)).berth).toMatchObject({
      code: 'invalid',
      args: { field: 'body' },
    })
    expect((await post('['.repeat(2000))).berth).toMatchObject({ code: 'invalid', args: { field: 'body' } })
    expect((await post('not json')).berth).toMatchObject({ code: 'invalid' })
    expect((await call(runtimeFor(db()), `me.get?input=${'['.repeat(100)}`, { headers: { cookie } })).status).toBe(400)
  })

  it('T6, T7, T11: takes no prototype, no operator and no unknown field from a body', async () => {
    const bodies = [
      '{"json":{"theme":"light","__proto__":{"polluted":1}}}',
      '{"json":{"theme":{"not":""}}}',
      '{"json":{"theme":["dark"]}}',
      '{"json":{"theme":"dark","role":"owner"}}',
      '{"json":{"theme":"dark"},"meta":{"referentialEqualities":{"theme":["__proto__.polluted"]}}}',
    ]
    for (const body of bodies) await call(runtimeFor(db()), 'me.setTheme', { method: 'POST', body, headers: { cookie } })
    expect(Object.keys(Object.prototype)).toEqual([])
    expect('polluted' in {}).toBe(false)
    expect(await theme()).toBe('light')
  })

  it('T10: shows of a fault of ours only the request id, and logs the rest under it', async () => {
    const logged: Record<string, unknown>[] = []
    const log = { error: (_: string, fields: Record<string, unknown>) => logged.push(fields) } as unknown as Log
    const runtime = { ...runtimeFor(db(), new TestClock(), log), catalog: null as never }
    const answer = await call(runtime, 'workloads.create', { method: 'POST', input: createInput(), headers: { cookie } })
    expect(answer.status).toBe(500)
    expect(answer.berth).toEqual({ code: 'internal', args: {}, requestId: answer.headers.get('x-request-id') })
    expect(answer.text).not.toMatch(/runtimes|null|TypeError|\.ts/)
    expect(logged).toMatchObject([{ requestId: answer.berth?.requestId, path: 'workloads.create' }])
  })

  it('says when to come back', async () => {
    const many = await Promise.all(
      Array.from({ length: 70 }, () =>
        call(runtimeFor(db()), 'workloads.create', { method: 'POST', input: createInput(), headers: { cookie } }),
      ),
    )
    const refused = many.find((answer) => answer.status === 429)
    expect(refused?.headers.get('retry-after')).toBe('60')
  })
})
