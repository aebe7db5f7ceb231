import { expect, it } from 'vitest'
import { ORIGIN, OURS, runtimeFor } from '@/server/api/testing/web'
import { eachProvider } from '@/testing/databases'
import { answerAuth } from './auth-route'
import { postAuth } from './testing/post-auth'

const PASSWORD = 'correct horse battery'

eachProvider('the sign-in routes', (db) => {
  const ask = (path: string, init: RequestInit = {}) =>
    answerAuth(runtimeFor(db()), new Request(`${ORIGIN}/api/auth/${path}`, init), path.split('/'))

  it('answer nothing but CSRF value, providers, sign-in and sign-out', async () => {
    for (const path of ['session', 'signin', 'error', 'verify-request', '_log', 'callback/oidc', 'callback', 'csrf/x'])
      for (const method of ['GET', 'POST'])
        expect([path, (await ask(path, { method, headers: OURS })).status]).toEqual([path, 404])
    expect((await ask('callback/credentials')).status).toBe(400)
    expect((await ask('csrf', { method: 'POST', headers: OURS })).status).toBe(400)
    expect((await ask('providers')).status).toBe(200)
  })

  it('A9: refuse other sites, and a wrong CSRF value', async () => {
    const body = JSON.stringify({ email: 'a@example.test', password: PASSWORD, csrfToken: 'wrong' })
    const send = (headers: Record<string, string>) =>
      ask('callback/credentials', { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
    const foreign: Record<string, string>[] = [
      {},
      { 'sec-fetch-site': 'cross-site', origin: ORIGIN },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://localhost:7480' },
      OURS,
    ]
    for (const headers of foreign) expect((await send(headers)).status).toBe(403)
  })

  it('A9: refuse other sites even with a right CSRF value', async () => {
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://localhost:7480' },
    ]
    for (const headers of foreign) expect((await postAuth(runtimeFor(db()), 'signout', { headers })).status).toBe(403)
    expect((await postAuth(runtimeFor(db()), 'signout')).status).toBe(200)
  })

  it('A10: never lead to another site', async () => {
    const answer = await postAuth(runtimeFor(db()), 'signout', { fields: { callbackUrl: 'https://evil.example/' } })
    expect(JSON.parse(answer.text).url).toBe(`${ORIGIN}/`)
  })
})
