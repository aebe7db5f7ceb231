import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Db } from '@/server/store/db'
import { eachProvider } from '@/testing/databases'
import { enterWorkload, type Opened, seedRunning, startGateway, type TestGateway } from '@/testing/gateway'
import { type OpenedDoor, openDoorOf } from '@/testing/opened-workload'
import type { Origin } from '@/testing/origin'
import { hangUp, pairs } from '@/testing/raw-http'
import { until } from '@/testing/until'

eachProvider('the doors of workloads', (db) => {
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

  it('G9: sends no request, upgrade or connection to a workload without a pass', async () => {
    const before = [origin.seen.length, test.dialled.length]
    const paths = ['/', '/api', '//', '/.berth', '/.berth/x', '/.BERTH/state', '/%2eberth/start']
    for (const path of paths) {
      for (const cookies of ['', '__Host-berth_app=', `__Host-berth_app=${'a'.repeat(43)}`]) {
        const headers = { cookie: cookies }
        const answer = await test.request({ host: opened.host, path, headers })
        expect([401, 404]).toContain(answer.status)
        const upgraded = await test.upgrade({ host: opened.host, path, headers: { origin: `http://${opened.host}`, ...headers } })
        expect(upgraded).toEqual({ status: 401 })
      }
    }
    expect([origin.seen.length, test.dialled.length]).toEqual(before)
  })

  it('sends a person without a pass to get one, and a program away', async () => {
    const person = await test.request({ host: opened.host, path: '/lab', headers: { accept: 'text/html,*/*' } })
    expect([person.status, person.headers.location]).toEqual([303, '/.berth/start?to=%2Flab'])
    const script = await test.request({ host: opened.host, path: '/lab', headers: { accept: '*/*' } })
    expect(script.status).toBe(401)
  })

  it('G4: serves each host string from one workload, or from none', async () => {
    const { label } = opened
    const port = test.port
    const table: [string, number][] = [
      [`w-${label}.localhost:${port}`, 200],
      [`W-${label.toUpperCase()}.LOCALHOST:${port}`, 200],
      [`w-${label}.localhost.:${port}`, 421],
      [`w-${label}.localhost`, 421],
      [`w-${label}.localhost:${port - 1}`, 421],
      [`w-${label}--080.localhost:${port}`, 404],
      [`w-${'a'.repeat(26)}.localhost:${port}`, 404],
      [`w-xn--${label}.localhost:${port}`, 404],
      [`x.w-${label}.localhost:${port}`, 421],
      [`w-${label}.localhost.evil.example:${port}`, 421],
      [`127.0.0.1:${port}`, 421],
      [`localhost:${port}`, 421],
      [`berth.localhost:${port}`, 421],
      [`io.berth.localhost:${port}`, 404],
    ]
    for (const [host, status] of table) {
      const answer = await test.request({ host, path: '/headers', headers: { cookie } })
      expect([host, answer.status]).toEqual([host, status])
    }
  })

  it('G3: reads no forwarding header when it routes', async () => {
    const { other } = await door.another()
    const names = [
      'x-forwarded-host',
      'forwarded',
      'x-host',
      'x-original-host',
      'x-rewrite-url',
      'x-forwarded-server',
      'x-original-url',
    ]
    for (const name of names) {
      const value = name === 'forwarded' ? `host=${other.host}` : other.host
      const answer = JSON.parse((await get('/headers', { [name]: value })).body)
      expect(pairs(answer.rawHeaders).host).toEqual([opened.host])
    }
  })

  it.each([
    ['absent', undefined],
    ['null', 'null'],
    ['empty', ''],
    ['the dashboard', (t: TestGateway) => `http://berth.localhost:${t.dashboardPort}`],
    ['the data host', (t: TestGateway) => `http://io.berth.localhost:${t.port}`],
    ['a sibling', (t: TestGateway) => `http://w-${'b'.repeat(26)}.localhost:${t.port}`],
    ['a look-alike prefix', (t: TestGateway, o: Opened) => `http://x-w-${o.label}.localhost:${t.port}`],
    ['a look-alike suffix', (t: TestGateway, o: Opened) => `http://w-${o.label}.localhost:${t.port}.evil.example`],
    ['a child', (t: TestGateway, o: Opened) => `http://a.w-${o.label}.localhost:${t.port}`],
    ['another port', (t: TestGateway, o: Opened) => `http://w-${o.label}.localhost:${t.port + 1}`],
    ['no port', (_t: TestGateway, o: Opened) => `http://w-${o.label}.localhost`],
    ['another scheme', (t: TestGateway, o: Opened) => `https://w-${o.label}.localhost:${t.port}`],
    ['another case', (t: TestGateway, o: Opened) => `http://W-${o.label}.localhost:${t.port}`],
    ['a path', (t: TestGateway, o: Opened) => `http://w-${o.label}.localhost:${t.port}/`],
  ])('opens no socket for an origin that is %s', async (_what, make) => {
    const value = typeof make === 'function' ? make(test, opened) : make
    const before = origin.seen.length
    const headers: Record<string, string> = value === undefined ? { cookie } : { cookie, origin: value }
    expect(await test.upgrade({ host: opened.host, path: '/ws', headers })).toEqual({ status: 403 })
    expect(origin.seen.length).toBe(before)
  })

  it.each(['cross-site', 'same-site'])(
    'answers nothing that a %s page asks with the pass, but a person’s own click',
    async (site) => {
      const before = origin.seen.length
      for (const dest of ['empty', 'image', 'script', 'iframe']) {
        const answer = await get('/api', { 'sec-fetch-site': site, 'sec-fetch-dest': dest })
        expect(answer.status).toBe(403)
      }
      const post = {
        host: opened.host,
        path: '/api',
        method: 'POST',
        headers: { cookie, origin: 'http://evil.example', 'sec-fetch-site': site },
      }
      expect((await test.request(post)).status).toBe(403)
      expect(origin.seen.length).toBe(before)
      const click = await get('/lab', { 'sec-fetch-site': site, 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' })
      expect(click.body).toBe('served /lab')
    },
  )

  it('G2: takes no write from another origin, also from a browser that says no more than that', async () => {
    const before = origin.seen.length
    for (const from of ['http://evil.example', 'null', `http://w-${'b'.repeat(26)}.localhost:${test.port}`]) {
      const post = { host: opened.host, path: '/api', method: 'POST', headers: { cookie, origin: from } }
      expect((await test.request(post)).status).toBe(403)
    }
    expect(origin.seen.length).toBe(before)
    const own = { host: opened.host, path: '/api', method: 'POST', headers: { cookie, origin: `http://${opened.host}` } }
    expect((await test.request(own)).status).toBe(200)
  })

  it('refuses two passes at once, and a pass of another host', async () => {
    expect((await get('/', { cookie: `${cookie}; ${cookie}` })).status).toBe(400)
    const { other } = await door.another()
    expect((await get('/', {}, other)).status).toBe(401)
  })

  it('counts no request whose client left while it was judged', async () => {
    const held: (() => void)[] = []
    const slow = await startGateway(holdPasses(test.db, held), { clock: test.clock })
    const other = await seedRunning(slow)
    slow.setDoor(other.placementId, 'main', origin.socketPath)
    const pass = await enterWorkload(slow, other)
    const text = `GET / HTTP/1.1\r\nHost: ${other.host}\r\nCookie: ${pass}\r\n\r\n`
    await Promise.all(Array.from({ length: 260 }, () => hangUp(slow.port, text)))
    await until('the store is asked', () => held.length > 0)
    // All of them have left before the last of these is answered.
    for (let i = 0; i < 50; i++) await slow.request({ host: 'example.test', path: '/' })
    const goOn = setInterval(() => held.splice(0).map((go) => go()), 1)
    const ask = () => slow.request({ host: other.host, path: '/', headers: { cookie: pass } })
    await until('none of them is counted', async () => (await ask()).status === 200)
    clearInterval(goOn)
    await slow.close()
  })

  it('holds a person to 256 connections', async () => {
    const { other, pass } = await door.another()
    const headers = { cookie: pass, origin: `http://${other.host}` }
    const all = await Promise.all(Array.from({ length: 257 }, () => test.upgrade({ host: other.host, path: '/ws', headers })))
    const refused = all.filter((one) => !(one instanceof WebSocket))
    expect(refused).toEqual([{ status: 429 }])
    expect((await get('/', { cookie: pass }, other)).status).toBe(429)
    for (const one of all) if (one instanceof WebSocket) one.terminate()
    await until('there is room again', async () => (await get('/', { cookie: pass }, other)).status === 200)
  })
})

/** The same database, whose questions about passes wait until a test lets them go on. */
function holdPasses(db: Db, held: (() => void)[]): Db {
  const findFirst: Db['doorPass']['findFirst'] = ((asked: never) =>
    new Promise<void>((resolve) => held.push(resolve)).then(() => db.doorPass.findFirst(asked))) as never
  const doorPass = new Proxy(db.doorPass, {
    get: (target, name) => (name === 'findFirst' ? findFirst : Reflect.get(target, name)),
  })
  return new Proxy(db, { get: (target, name) => (name === 'doorPass' ? doorPass : Reflect.get(target, name)) })
}
