import { PassThrough } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { WorkloadBackend } from '@/backends/backend'
import { AppError } from '@/domain/errors'
import { LIMITS } from '@/domain/limits'
import { because } from '@/domain/reasons'
import { addresses } from '@/domain/settings'
import type { Purpose } from '@/domain/tickets'
import { toParked, toParking } from '@/server/service/controller-moves'
import { mintTicket } from '@/server/service/tickets'
import { revokeSignIn } from '@/server/store/system/sign-ins'
import { eachProvider } from '@/testing/databases'
import { type Answer, type Opened, seedRunning, seedSignIn, startGateway, type TestGateway } from '@/testing/gateway'
import { NOISE_MS, until } from '@/testing/until'

type Change = {
  purpose?: Purpose
  headers?: Record<string, string>
  ticket?: string
  of?: Opened
  signal?: AbortSignal
  method?: string
}

eachProvider('the data host', (db) => {
  let test: TestGateway
  let opened: Opened
  let dashboard: string
  let usual: TestGateway['kept']['read']
  beforeAll(async () => {
    test = await startGateway(db())
    opened = await seedRunning(test)
    dashboard = addresses(test.dashboardPort).dashboardOrigin
    usual = test.kept.read
    const instance = { workloadId: opened.workload.id, placementId: opened.placementId, workloadGen: 1 }
    test.kept.records.print(instance, 'output', 'server is up\nit failed\n')
    test.kept.records.print(instance, 'terminal', '$ make\r\nerror 7\r\n')
  })
  beforeEach(() => {
    test.kept.read = usual
  })
  afterAll(() => test.close())

  const ticketFor = async (purpose: Purpose, of = opened) =>
    (await mintTicket(of.ctx, { workloadId: of.workload.id, purpose })).ticket
  /** As the dashboard's page asks. */
  const post = async (path: string, body: object, change: Change = {}): Promise<Answer> => {
    const ticket = change.ticket ?? (await ticketFor(change.purpose ?? 'logs', change.of))
    return test.request({
      host: addresses(test.dashboardPort).dataHost,
      path,
      method: change.method ?? 'POST',
      headers: { origin: dashboard, 'content-type': 'application/json', authorization: `Ticket ${ticket}`, ...change.headers },
      ...(change.method === 'OPTIONS' ? {} : { body: JSON.stringify(body) }),
      ...(change.signal ? { signal: change.signal } : {}),
    })
  }
  const form = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    test.request({
      host: addresses(test.dashboardPort).dataHost,
      path,
      method: 'POST',
      headers: { origin: dashboard, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(fields).toString(),
    })
  const LOGS = { source: 'output', placementId: null, tailBytes: null, isFollowed: false }

  it('answers with the bytes of a log and where they begin, to the dashboard alone', async () => {
    const answer = await post('/logs', { ...LOGS, tailBytes: 10 })
    expect([answer.status, answer.body]).toEqual([200, 'it failed\n'])
    const endByte = 'server is up\nit failed\n'.length
    const head = { placementId: opened.placementId, workloadGen: 1, fromByte: endByte - 10, endByte }
    expect(JSON.parse(String(answer.headers['berth-read']))).toEqual(head)
    expect(answer.headers['access-control-allow-origin']).toBe(dashboard)
    expect(answer.headers['access-control-expose-headers']).toBe('berth-read')
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  it('searches a log for one purpose and a record for the other', async () => {
    const ask = { source: 'terminal', text: 'ERROR', limit: 5, placementId: null }
    const found = await post('/search', ask, { purpose: 'record' })
    expect(JSON.parse(found.body)).toEqual({ matches: [{ seq: 8, line: 'error 7\r', at: null }], isComplete: true })
    expect((await post('/search', ask, { purpose: 'logs' })).status).toBe(403)
    expect((await post('/search', { ...ask, source: 'output' }, { purpose: 'record' })).status).toBe(403)
  })

  it('gives a form a file, named by its workload', async () => {
    const log = await form('/logs', { ticket: await ticketFor('logs'), source: 'output' })
    expect([log.status, log.body]).toEqual([200, 'server is up\nit failed\n'])
    expect(log.headers['content-disposition']).toBe(`attachment; filename="${opened.workload.name}-output.log"`)
    const cast = await form('/record', { ticket: await ticketFor('record'), format: 'asciicast' })
    expect(cast.headers['content-disposition']).toBe(`attachment; filename="${opened.workload.name}-terminal.cast"`)
  })

  it('lets a program ask without an origin, and no browser that hides it', async () => {
    const bare = async (headers: Record<string, string>) =>
      test.request({
        host: addresses(test.dashboardPort).dataHost,
        path: '/record',
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Ticket ${await ticketFor('record')}`, ...headers },
        body: JSON.stringify({ format: 'raw' }),
      })
    expect((await bare({})).body).toBe('$ make\r\nerror 7\r\n')
    for (const sign of [{ cookie: 'a=1' }, { 'sec-fetch-site': 'cross-site' }] as Record<string, string>[])
      expect((await bare(sign)).status).toBe(403)
  })

  it.each([
    ['none of ours', 'http://evil.example'],
    ['null', 'null'],
    ['a workload', ({ host }: { host: string }) => `http://${host}`],
    ['another port of ours', ({ port }: { port: number }) => `http://berth.localhost:${port}`],
  ])('G10: answers no page of an origin that is %s, by JSON, form or preflight', async (_what, make) => {
    const origin = typeof make === 'function' ? make({ host: opened.host, port: test.port }) : make
    const ticket = await ticketFor('logs')
    const json = await post('/logs', LOGS, { ticket, headers: { origin } })
    const sent = await form('/logs', { ticket, source: 'output' }, { origin })
    const first = await post('/logs', {}, { method: 'OPTIONS', ticket, headers: { origin } })
    for (const answer of [json, sent, first]) {
      expect(answer.status).toBe(403)
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    }
    expect((await post('/logs', LOGS, { ticket })).status).toBe(200) // none of them used the ticket
  })

  it('tells a browser that asks first what it may send', async () => {
    const answer = await post('/logs', {}, { method: 'OPTIONS' })
    expect([answer.status, answer.headers['access-control-allow-headers']]).toEqual([204, 'authorization, content-type'])
    expect((await post('/logs', LOGS, { method: 'PUT' })).status).toBe(405)
  })

  it('G5: takes a ticket once, in time, for its purpose, and writes none down', async () => {
    const ticket = await ticketFor('logs')
    expect((await post('/logs', LOGS, { ticket })).status).toBe(200)
    const again = await post('/logs', LOGS, { ticket })
    expect([again.status, JSON.parse(again.body).code]).toEqual([403, 'ticket'])
    expect((await post('/record', { format: 'raw' }, { purpose: 'logs' })).status).toBe(403)
    const late = await ticketFor('logs')
    test.clock.advance(31_000)
    expect((await post('/logs', LOGS, { ticket: late })).status).toBe(403)
    for (const used of [ticket, late]) expect(test.logged()).not.toContain(used)
  })

  it.each([
    ['an unknown source', { source: 'terminal' }, 'source'],
    ['a field too many', { more: 1 }, 'more'],
    ['no bytes', { tailBytes: 0 }, 'tailBytes'],
    ['a workload', { workloadId: 'x' }, 'workloadId'],
    ['a long text', { text: 'x'.repeat(201) }, 'text'],
    ['too many matches', { text: 'x', limit: 201 }, 'limit'],
    ['a large body', { source: 'x'.repeat(5000) }, 'body'],
  ])('refuses %s, names it, and leaves the ticket for a better question', async (_what, change, field) => {
    const ticket = await ticketFor('logs')
    const isSearch = 'text' in change
    const usual = isSearch ? { source: 'output', limit: 5 } : LOGS
    const answer = await post(isSearch ? '/search' : '/logs', { ...usual, ...change }, { ticket })
    const told = JSON.parse(answer.body)
    expect([answer.status, told.code]).toEqual([400, 'invalid'])
    expect(told.message).toContain(field)
    if (field !== 'body') expect((await post('/logs', LOGS, { ticket })).status).toBe(200)
  })

  it('says that nothing is kept, and that a machine cannot be reached', async () => {
    const none = await post('/logs', { ...LOGS, source: 'build' })
    expect([none.status, JSON.parse(none.body).code]).toEqual([404, 'not_found'])
    test.kept.read = () => Promise.reject(new AppError('unreachable', { machine: 'box' }))
    expect((await post('/logs', LOGS)).status).toBe(503)
  })

  it('reads a parked workload from the machine that holds its files', async () => {
    const other = await seedRunning(test)
    const [at, reason] = [test.clock.now(), because('parked', {})]
    await toParked(test.db, { workload: await toParking(test.db, { workload: other.workload, reason, at }), reason, at })
    const asked: Parameters<WorkloadBackend['read']>[] = []
    test.kept.read = async (...ask) => {
      asked.push(ask)
      return usual(ask[0], { ...ask[1], workloadId: opened.workload.id }, ask[2])
    }
    expect((await post('/logs', LOGS, { of: other })).status).toBe(200)
    expect(asked[0]?.[0]).toBe(other.workload.placement?.machineId)
    expect(asked[0]?.[1].workloadId).toBe(other.workload.id)
  })

  describe('an answer that lasts', () => {
    /** A log that is followed and never ends by itself. */
    const endless = () => {
      const streams: PassThrough[] = []
      test.kept.read = async (_machine, _ask, signal) => {
        const stream = new PassThrough()
        signal.addEventListener('abort', () => stream.destroy())
        streams.push(stream)
        stream.write('begun ')
        return { info: { placementId: opened.placementId, workloadGen: 1, fromByte: 0, endByte: 6 }, stream }
      }
      return streams
    }

    it('G15: is cut within 2 s of the end of its sign-in, and looks cut', async () => {
      const streams = endless()
      const ctx = { ...opened.ctx, signInId: await seedSignIn(test, opened.ctx.person.id) }
      const answered = post('/logs', { ...LOGS, isFollowed: true }, { of: { ...opened, ctx } })
      await until('it is open', () => streams.length === 1)
      await revokeSignIn(test.db, { userId: ctx.person.id, id: ctx.signInId, at: test.clock.now() })
      const since = performance.now()
      const answer = await answered
      expect(performance.now() - since).toBeLessThan(2000 + NOISE_MS)
      expect([answer.body, answer.isComplete]).toEqual(['begun ', false])
      await until('the machine is let go', () => streams[0]?.destroyed === true)
    })

    it('is never short and whole: a machine that breaks off breaks it off', async () => {
      const streams = endless()
      const answered = post('/logs', { ...LOGS, isFollowed: true })
      await until('it is open', () => streams.length === 1)
      streams[0]?.destroy(new Error('the tunnel is gone'))
      expect((await answered).isComplete).toBe(false)
    })

    it('is counted: a person has 16, and one who leaves frees one', async () => {
      const streams = endless()
      const leaving = Array.from({ length: LIMITS.answersPerUser }, () => new AbortController())
      const many = leaving.map(({ signal }) => post('/logs', { ...LOGS, isFollowed: true }, { signal }).catch(() => null))
      await until('all are open', () => streams.length === LIMITS.answersPerUser)
      const refused = await post('/logs', LOGS)
      expect([refused.status, JSON.parse(refused.body).code]).toEqual([429, 'over_limit'])
      for (const one of leaving) one.abort()
      await Promise.all(many)
      await until('the machine is let go', () => streams.every((stream) => stream.destroyed))
      test.kept.read = usual
      expect((await post('/logs', LOGS)).status).toBe(200)
    })
  })
})
