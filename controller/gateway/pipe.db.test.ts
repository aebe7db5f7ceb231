import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { eachProvider } from '@/testing/databases'
import type { Opened, TestGateway } from '@/testing/gateway'
import { type OpenedDoor, openDoorOf } from '@/testing/opened-workload'
import { LARGE_BYTES, type Origin } from '@/testing/origin'
import { countBytes, pairs, raw, rawUpgrade } from '@/testing/raw-http'
import { until } from '@/testing/until'

eachProvider('what passes between a browser and a workload', (db) => {
  let door: OpenedDoor
  let test: TestGateway
  let opened: Opened
  let origin: Origin
  let cookie: string
  beforeAll(async () => {
    door = await openDoorOf(db())
    ;({ test, opened, origin, cookie } = door)
  })
  afterAll(() => door.close())

  const get = (path: string, headers: Record<string, string> = {}, at: Opened = opened) =>
    test.request({ host: at.host, path, headers: { cookie, ...headers } })

  it('G7: shows a workload none of Berth’s credentials, and its own cookies and authorization unchanged', async () => {
    const answer = await get('/headers', {
      cookie: `a=1; ${cookie}; __Secure-berth_x=2; b="2; 3"; __Host-berth_pre=n`,
      authorization: 'token jupyter',
      'x-forwarded-for': '10.0.0.1',
      'x-forwarded-proto': 'https',
      'x-real-ip': '10.0.0.1',
      'x-original-uri': '/y',
      'x-rewrite-url': '/x',
      'x-middleware-subrequest': 'middleware',
      'x-nextjs-data': '1',
      'x-berth-user': 'root',
      connection: 'close, x-hop',
      'x-hop': '1',
      te: 'trailers',
      expect: '100-continue',
    })
    const seen = pairs(JSON.parse(answer.body).rawHeaders)
    expect(seen.cookie).toEqual(['a=1; b="2; 3"'])
    expect(seen.authorization).toEqual(['token jupyter'])
    expect(seen['x-forwarded-host']).toEqual([opened.host])
    expect(seen['x-forwarded-proto']).toEqual(['http'])
    expect(seen['x-forwarded-for']).toEqual(['127.0.0.1'])
    expect(Object.keys(seen).sort()).toEqual(
      ['authorization', 'connection', 'cookie', 'host', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'].sort(),
    )
    expect(answer.body).not.toContain(cookie.split('=')[1])
  })

  it('sends no cookie header when the pass was all there was', async () => {
    expect(pairs(JSON.parse((await get('/headers')).body).rawHeaders).cookie).toBeUndefined()
  })

  it.each(['Ticket abcdef', 'Bearer berth_pat_abc', 'bearer berth_key_abc'])(
    'drops %s on the way to a workload',
    async (value) => {
      const answer = await get('/headers', { authorization: value })
      expect(answer.body).not.toContain('abc')
    },
  )

  it('G8: lets a workload set no cookie beyond its host and none of Berth’s names', async () => {
    const cookies = (await get('/hostile')).headers['set-cookie'] ?? []
    expect(cookies.length).toBe(50)
    expect(cookies.filter((line) => /berth|domain|huge|^\s*=/i.test(line))).toEqual([])
    expect(cookies).toContain('honest=1; Path=/; HttpOnly')
    expect(cookies.find((line) => line.startsWith('wide='))).toBe('wide=1; Path=/')
    expect(cookies.find((line) => line.startsWith('wider='))).toBe('wider=1')
  })

  it('takes off what speaks for other services, and only tightens', async () => {
    const answer = await get('/hostile')
    for (const name of ['strict-transport-security', 'alt-svc', 'public-key-pins', 'service-worker-allowed', 'x-secret-hop'])
      expect(answer.headers[name]).toBeUndefined()
    const sent = pairs(answer.rawHeaders)
    expect(sent['content-security-policy']).toEqual(["default-src 'self'", "frame-ancestors 'self'"])
    expect(sent['cross-origin-resource-policy']).toEqual(['same-origin'])
    expect(sent['x-content-type-options']).toEqual(['nosniff'])
    expect(sent['origin-agent-cluster']).toEqual(['?1'])
    expect(sent['referrer-policy']).toEqual(['strict-origin'])
    expect(sent['x-robots-tag']).toEqual(['noindex, nofollow'])
    expect(sent['x-app']).toEqual(['kept'])
  })

  it('shows a broken answer as broken, with and without a length', async () => {
    for (const path of ['/dies', '/dies-chunked']) {
      const answer = await get(path)
      expect([path, answer.status, answer.isComplete]).toEqual([path, 200, false])
    }
  })

  it('passes large bodies through both ways without holding them', async () => {
    const before = process.memoryUsage().rss
    const down = await countBytes(test, { host: opened.host, path: '/large', cookie })
    expect(down).toBe(LARGE_BYTES)
    const up = await get('/count')
    expect(JSON.parse(up.body)).toEqual({ bytes: 0 })
    const body = Buffer.alloc(8 * 2 ** 20, 1)
    const counted = await test.request({ host: opened.host, path: '/count', method: 'POST', headers: { cookie }, body })
    expect(JSON.parse(counted.body)).toEqual({ bytes: body.byteLength })
    const chunked = { cookie, 'transfer-encoding': 'chunked' }
    const again = await test.request({ host: opened.host, path: '/count', method: 'POST', headers: chunked, body })
    expect(JSON.parse(again.body)).toEqual({ bytes: body.byteLength })
    expect(process.memoryUsage().rss - before).toBeLessThan(LARGE_BYTES + 2 * body.byteLength)
  })

  it('gives an answer that comes before the body was sent', async () => {
    const body = Buffer.alloc(4 * 2 ** 20)
    const answer = await test.request({ host: opened.host, path: '/early', method: 'POST', headers: { cookie }, body })
    expect(answer.status).toBe(413)
  })

  it('G11: follows no redirect of a workload', async () => {
    const answer = await get('/redirect')
    expect([answer.status, answer.headers.location]).toEqual([302, 'http://127.0.0.1:22/'])
  })

  it('ends the request to a workload when the browser leaves', async () => {
    const before = origin.aborted
    const request = httpRequest({ host: '127.0.0.1', port: test.port, path: '/stream', headers: { host: opened.host, cookie } })
    request.on('error', () => undefined)
    request.on('response', (answer) => answer.once('data', () => request.destroy()))
    request.end()
    await until('the workload sees the client leave', () => origin.aborted > before)
  })

  it('G10: opens a socket for the exact origin, with the same cleaned headers', async () => {
    const headers = { cookie: `a=1; ${cookie}`, origin: `http://${opened.host}`, 'x-forwarded-host': 'x' }
    const socket = await test.upgrade({ host: opened.host, path: '/ws', headers })
    if (!(socket instanceof WebSocket)) throw new Error(`refused: ${socket.status}`)
    const seen = new Promise<string>((resolve) => socket.once('message', (data) => resolve(data.toString())))
    socket.send('headers')
    const sent = pairs(JSON.parse(await seen))
    expect(sent.cookie).toEqual(['a=1'])
    expect(sent.host).toEqual([opened.host])
    expect(sent.origin).toEqual([`http://${opened.host}`])
    const echoed = new Promise<Buffer>((resolve) => socket.once('message', (data) => resolve(data as Buffer)))
    const bytes = Buffer.alloc(300_000, 5)
    socket.send(bytes)
    expect((await echoed).equals(bytes)).toBe(true)
    socket.terminate()
  })

  it('ends a workload’s side of a socket when the browser’s is cut, and the other way round', async () => {
    const headers = { cookie, origin: `http://${opened.host}` }
    const [cut, kept] = [
      await test.upgrade({ host: opened.host, path: '/ws', headers }),
      await test.upgrade({ host: opened.host, path: '/ws', headers }),
    ]
    if (!(cut instanceof WebSocket && kept instanceof WebSocket)) throw new Error('refused')
    const before = origin.open.size
    cut.terminate()
    await until('the workload sees it', () => origin.open.size === before - 1)
    const closed = new Promise((resolve) => kept.once('close', resolve))
    for (const socket of origin.open) socket.destroy()
    await closed
  })

  it('lets no cookie of Berth’s name through in the answer to an upgrade', async () => {
    const answer = await rawUpgrade(test.port, { host: opened.host, path: '/ws', cookie })
    expect(answer).toContain('101 Switching Protocols')
    expect(answer).not.toMatch(/berth|alt-svc/i)
    const refused = await rawUpgrade(test.port, { host: opened.host, path: '/no-upgrade', cookie })
    expect(refused).toContain('400 Bad Request')
    expect(refused).not.toMatch(/berth_app/i)
  })

  it('G12: uses a connection again, and never one of another person', async () => {
    const { other, pass } = await door.another()
    const before = test.dialled.length
    for (let i = 0; i < 5; i++) await get('/', { cookie: pass }, other)
    expect(test.dialled.length - before).toBe(1)
  })

  it.each([
    ['both lengths', 'POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost: HOST\r\nX-A : 1\r\n\r\n'],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: HOST\r\nX-A: 1\r\n 2\r\n\r\n'],
    ['a bare line feed', 'GET / HTTP/1.1\nHost: HOST\n\n'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n'],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: HOST\r\nHost: HOST\r\n\r\n'],
    ['an absolute target', 'GET http://HOST/ HTTP/1.1\r\nHost: HOST\r\n\r\n'],
    ['a target without a path', 'OPTIONS * HTTP/1.1\r\nHost: HOST\r\n\r\n'],
    ['a NUL', 'GET / HTTP/1.1\r\nHost: HOST\r\nX-A: \u0000\r\n\r\n'],
    ['a wrong chunk', 'POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['a very long header', `GET / HTTP/1.1\r\nHost: HOST\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['101 headers', `GET / HTTP/1.1\r\nHost: HOST\r\n${'X-A: 1\r\n'.repeat(100)}\r\n`],
  ])('G12: lets no request with %s through', async (_what, text) => {
    const before = origin.seen.length
    const answer = await raw(test.port, text.replaceAll('HOST', opened.host).replace('\r\n\r\n', `\r\nCookie: ${cookie}\r\n\r\n`))
    expect(answer).toMatch(/^HTTP\/1\.1 4(00|31) /)
    expect(origin.seen.length).toBe(before)
    const good = await raw(test.port, `GET / HTTP/1.1\r\nHost: ${opened.host}\r\nCookie: ${cookie}\r\n\r\n`)
    expect(good).toMatch(/^HTTP\/1\.1 200 /)
  })
})
