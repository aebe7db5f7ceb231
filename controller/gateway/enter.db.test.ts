import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mintTicket } from '@/server/service/tickets'
import { revokeSignIn } from '@/server/store/system/sign-ins'
import { eachProvider } from '@/testing/databases'
import {
  cookieOf,
  enterWorkload,
  type Opened,
  postTicket,
  seedAgain,
  seedRunning,
  startEntering,
  startGateway,
  type TestGateway,
} from '@/testing/gateway'
import { seedMember } from '@/testing/seed'

eachProvider('entering a workload', (db) => {
  let test: TestGateway
  let opened: Opened
  beforeAll(async () => {
    test = await startGateway(db())
    opened = await seedRunning(test)
  })
  afterAll(() => test.close())

  const ask = async (at: Opened = opened) => {
    const { nonce, nonceHash } = await startEntering(test, at)
    const { ticket } = await mintTicket(at.ctx, { workloadId: at.workload.id, purpose: 'http', nonceHash })
    return { nonce, ticket }
  }

  it('gives a nonce to this browser alone and sends its hash to the dashboard', async () => {
    const answer = await test.request({ host: opened.host, path: '/.berth/start' })
    expect(answer.status).toBe(303)
    const cookie = answer.headers['set-cookie']?.[0] ?? ''
    expect(cookie).toMatch(/^__Host-berth_pre=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=120$/)
    const to = new URL(answer.headers.location ?? '')
    expect(to.origin + to.pathname).toBe(`http://berth.localhost:${test.dashboardPort}/open/${opened.label}`)
    expect(to.searchParams.get('n')).toMatch(/^[0-9a-f]{64}$/)
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('P11: lets a ticket in once, and its pass opens the workload', async () => {
    const given = await ask()
    const first = await postTicket(test, opened, given)
    expect(first.status).toBe(200)
    const cookies = first.headers['set-cookie'] ?? []
    expect(cookies[0]).toMatch(/^__Host-berth_app=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=43200$/)
    expect(cookies[1]).toMatch(/^__Host-berth_pre=; .*Max-Age=0$/)
    expect((await postTicket(test, opened, given)).status).toBe(403)
    const entered = await test.request({ host: opened.host, path: '/', headers: { cookie: cookieOf(first, '__Host-berth_app') } })
    expect(entered.status).toBe(503) // let through: no server stands behind this door
  })

  it.each([
    ['/lab/tree/a%20b.ipynb?reset#cell', '/lab/tree/a%20b.ipynb?reset#cell'],
    ['//evil.example/x', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example', '/'],
    ['/.berth/start', '/'],
    [null, '/'],
  ])('G11: keeps the path %j that was wanted, on this host alone', async (wanted, expected) => {
    const query = wanted === null ? '' : `?to=${encodeURIComponent(wanted)}`
    const begun = await test.request({ host: opened.host, path: `/.berth/start${query}` })
    expect(begun.headers.location).not.toContain('lab') // the dashboard is told where the browser comes from, not what for
    const nonceHash = new URL(begun.headers.location ?? '').searchParams.get('n') ?? ''
    const { ticket } = await mintTicket(opened.ctx, { workloadId: opened.workload.id, purpose: 'http', nonceHash })
    const nonce = ['__Host-berth_pre', '__Host-berth_to'].map((name) => cookieOf(begun, name)).join('; ')
    const entered = await postTicket(test, opened, { ticket, nonce })
    expect(JSON.parse(entered.body)).toEqual({ to: expected })
  })

  it('G5: lets exactly one of 20 uses at once in', async () => {
    const given = await ask()
    const answers = await Promise.all(Array.from({ length: 20 }, () => postTicket(test, opened, given)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(19).fill(403)])
  })

  it('G5: refuses a ticket at 31 s and takes it at 29 s', async () => {
    const late = await ask()
    test.clock.advance(31_000)
    const refused = await postTicket(test, opened, late)
    expect(refused.status).toBe(403)
    expect(refused.body).toContain('older than 30 seconds')
    const soon = await ask()
    test.clock.advance(29_000)
    expect((await postTicket(test, opened, soon)).status).toBe(200)
  })

  it('G5: refuses the ticket of another workload, and burns it', async () => {
    const other = await seedRunning(test)
    const { nonce, ticket } = await ask(other)
    expect((await postTicket(test, opened, { nonce, ticket })).status).toBe(403)
    expect((await postTicket(test, other, { nonce, ticket })).status).toBe(403)
  })

  it('G6: refuses a ticket that was minted for another browser, or shown without a nonce', async () => {
    const mine = await ask()
    const victim = await startEntering(test, opened)
    expect((await postTicket(test, opened, { ticket: mine.ticket, nonce: victim.nonce })).status).toBe(403)
    expect((await postTicket(test, opened, { ticket: mine.ticket, nonce: '' })).status).toBe(403)
    expect((await postTicket(test, opened, mine)).status).toBe(200) // neither of them used it up
  })

  it('refuses a ticket whose sign-in ended meanwhile', async () => {
    const other = await seedRunning(test)
    const given = await ask(other)
    const { signInId, person } = other.ctx
    await revokeSignIn(test.db, { userId: person.id, id: signInId ?? '', at: test.clock.now() })
    expect((await postTicket(test, other, given)).status).toBe(403)
  })

  it('refuses a ticket for an older placement', async () => {
    const other = await seedRunning(test)
    const given = await ask(other)
    await seedAgain(test, other)
    expect((await postTicket(test, other, given)).status).toBe(403)
  })

  it('refuses a ticket for a terminal', async () => {
    const { nonce } = await startEntering(test, opened)
    const { ticket } = await mintTicket(opened.ctx, { workloadId: opened.workload.id, purpose: 'terminal-control' })
    expect((await postTicket(test, opened, { nonce, ticket })).status).toBe(403)
  })

  it('mints nothing for a person without a share', async () => {
    const stranger = await seedMember(test.db, opened.seed, 'member')
    const ctx = { ...opened.ctx, person: stranger, signInId: uuidv7() }
    await expect(enterWorkload(test, opened, ctx)).rejects.toThrow('no such workload')
  })

  it('G16: uses no ticket on GET or HEAD, whatever they carry', async () => {
    const { nonce, ticket } = await ask()
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      const path = `/.berth/enter?ticket=${ticket}`
      const answer = await test.request({ host: opened.host, path, method, headers: { cookie: nonce } })
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
    expect((await postTicket(test, opened, { nonce, ticket })).status).toBe(200)
  })

  it.each([
    ['no origin', { origin: '' }],
    ['a sibling origin', { origin: 'http://w-abcdefghijklmnopqrstuvwxyz.localhost:1' }],
    ['the dashboard as origin', { origin: 'http://berth.localhost:7480' }],
    ['another site', { 'sec-fetch-site': 'same-site' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['plain text', { 'content-type': 'text/plain' }],
  ])('refuses a ticket posted with %s', async (_what, headers) => {
    const given = await ask()
    expect((await postTicket(test, opened, { ...given, headers })).status).toBe(403)
  })

  it('refuses two nonces at once', async () => {
    const { nonce, ticket } = await ask()
    expect((await postTicket(test, opened, { ticket, nonce: `${nonce}; ${nonce}` })).status).toBe(400)
  })

  it('refuses a body that is no ticket, or too large to be one', async () => {
    const { nonce } = await ask()
    for (const body of ['', '{', '[]', '{"ticket":1}', `{"ticket":"${'a'.repeat(5000)}"}`]) {
      const headers = { 'content-type': 'application/json', origin: `http://${opened.host}`, cookie: nonce }
      const answer = await test.request({ host: opened.host, path: '/.berth/enter', method: 'POST', headers, body })
      expect(answer.status).toBe(403)
    }
  })

  it('G16: starts nothing for a prefetch', async () => {
    const signs: Record<string, string>[] = [
      { 'sec-purpose': 'prefetch' },
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
    ]
    for (const headers of signs) {
      const answer = await test.request({ host: opened.host, path: '/.berth/start', headers })
      expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined])
    }
  })

  it('serves an enter page that may run its own script and nothing else', async () => {
    const answer = await test.request({ host: opened.host, path: '/.berth/enter', headers: { accept: 'text/html' } })
    const nonce = /<script nonce="([\w-]+)">/.exec(answer.body)?.[1]
    expect(answer.headers['content-security-policy']).toBe(
      `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    const again = await test.request({ host: opened.host, path: '/.berth/enter', headers: { accept: 'text/html' } })
    expect(again.body).not.toContain(nonce)
  })

  it('G5: writes no ticket, nonce or pass to its log', async () => {
    const given = await ask()
    const entered = await postTicket(test, opened, given)
    await postTicket(test, opened, given)
    await test.request({
      host: opened.host,
      path: `/x?${given.ticket}`,
      headers: { cookie: cookieOf(entered, '__Host-berth_app') },
    })
    for (const secret of [given.ticket, given.nonce, cookieOf(entered, '__Host-berth_app')]) {
      expect(test.logged()).not.toContain(secret.split('=').at(-1))
    }
  })
})
