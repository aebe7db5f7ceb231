import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { because } from '@/domain/reasons'
import { toParked, toParking } from '@/server/service/controller-moves'
import { inTx } from '@/server/store/db'
import { revokeSignIn } from '@/server/store/system/sign-ins'
import { eachProvider } from '@/testing/databases'
import { enterWorkload, type Opened, seedAgain, seedSignIn, type TestGateway } from '@/testing/gateway'
import { type OpenedDoor, openDoorOf } from '@/testing/opened-workload'
import type { Origin } from '@/testing/origin'
import { NOISE_MS, until } from '@/testing/until'

type Count = { count: bigint }
const LOCKS = `SELECT count(*) FROM pg_locks WHERE relation = '"workload"'::regclass AND mode`
const HELD = `${LOCKS} = 'AccessExclusiveLock' AND granted`
const WAITING = `${LOCKS} = 'AccessShareLock' AND NOT granted`
const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'

eachProvider('the end of what doors let in', (db, provider) => {
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

  it('G15: ends open streams and sockets within 2 s of a revoked sign-in, and no others', async () => {
    const { other, pass } = await door.another()
    const second = { ...other.ctx, signInId: await seedSignIn(test, other.ctx.person.id) }
    const kept = await enterWorkload(test, other, second)
    const open = (cookies: string) =>
      test.upgrade({ host: other.host, path: '/ws', headers: { cookie: cookies, origin: `http://${other.host}` } })
    const [lost, stays] = [await open(pass), await open(kept)]
    if (!(lost instanceof WebSocket && stays instanceof WebSocket)) throw new Error('not opened')
    const stream = test.request({ host: other.host, path: '/stream', headers: { cookie: pass } })
    await until('the stream is open', () => origin.seen.includes('GET /stream'))
    const closed = new Promise((resolve) => lost.once('close', resolve))
    const start = performance.now()
    await revokeSignIn(test.db, { userId: other.ctx.person.id, id: other.ctx.signInId ?? '', at: test.clock.now() })
    await closed
    expect((await stream).isComplete).toBe(false)
    expect(performance.now() - start).toBeLessThan(2000 + NOISE_MS)
    expect(stays.readyState).toBe(WebSocket.OPEN)
    await until('the workload’s side is closed too', () => origin.open.size === 1)
    expect((await get('/', { cookie: pass }, other)).status).toBe(401)
    expect((await get('/', { cookie: kept }, other)).status).toBe(200)
    stays.terminate()
  })

  // Only there can a question to the store be held up.
  if (provider === 'postgres')
    it('opens nothing for a client that left while it was judged: nobody would ever count it down', async () => {
      const { other, pass } = await door.another()
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      const holding = inTx(test.db, async (tx) => {
        await tx.$executeRawUnsafe('LOCK TABLE "workload" IN ACCESS EXCLUSIVE MODE')
        await held
      })
      const waiting = async () => Number((await test.db.$queryRawUnsafe<Count[]>(WAITING))[0]?.count)
      await until('the table is held', async () => Number((await test.db.$queryRawUnsafe<Count[]>(HELD))[0]?.count) > 0)
      const client = connect(test.port, '127.0.0.1')
      client.write(`GET /late HTTP/1.1\r\nHost: ${other.host}\r\nOrigin: http://${other.host}\r\nCookie: ${pass}\r\n${UPGRADE}`)
      await until('it is judged', async () => (await waiting()) > 0)
      client.resetAndDestroy()
      await once(client, 'close')
      await waiting()
      release()
      await holding
      const dialled = test.dialled.length
      const next = { host: other.host, path: '/next', headers: { cookie: pass, origin: `http://${other.host}` } }
      const opened = await test.upgrade(next)
      expect(test.dialled.length - dialled).toBe(1)
      if (opened instanceof WebSocket) opened.terminate()
    })

  it('ends a pass after 12 hours', async () => {
    const { other, pass } = await door.another()
    expect((await get('/', { cookie: pass }, other)).status).toBe(200)
    test.clock.advance(11 * 3_600_000)
    const fresh = { ...other.ctx, signInId: await seedSignIn(test, other.ctx.person.id) }
    expect((await get('/', { cookie: await enterWorkload(test, other, fresh) }, other)).status).toBe(200)
    test.clock.advance(3_600_000)
    await until('the pass ended', async () => (await get('/', { cookie: pass }, other)).status === 401)
    cookie = await enterWorkload(test, opened, { ...opened.ctx, signInId: await seedSignIn(test, opened.ctx.person.id) })
  })

  it('sends nothing to the copy before: a pass and its connections end with the placement', async () => {
    const { other, pass } = await door.another()
    expect((await get('/', { cookie: pass }, other)).status).toBe(200)
    const fresh = await seedAgain(test, other)
    test.setDoor(fresh.placementId, 'main', origin.socketPath)
    await until('the old pass is refused', async () => (await get('/', { cookie: pass }, other)).status === 401)
    const dialled = test.dialled.length
    const entered = await enterWorkload(test, fresh)
    expect((await get('/', { cookie: entered }, other)).status).toBe(200)
    expect(test.dialled.slice(dialled).map((d) => d.instance.placementId)).toEqual([fresh.placementId])
  })

  it('G14: says so while a workload does not run, and that it has ended once it has', async () => {
    const { other } = await door.another()
    const reason = because('parked', {})
    const parking = await toParking(test.db, { workload: other.workload, reason, at: test.clock.now() })
    await toParked(test.db, { workload: parking, reason, at: test.clock.now() })
    const page = (path: string) => test.request({ host: other.host, path, headers: { accept: 'text/html' } })
    await until('parked', async () => (await page('/lab')).status === 503)
    const parked = await page('/lab')
    expect(parked.body).toContain('is parked; its files are kept')
    expect(parked.body).not.toContain(other.workload.name)
    const state = async () => JSON.parse((await page('/.berth/state')).body)
    await until('what its page asks for says so too', async () => !(await state()).isOpen)
    expect(await state()).toEqual({ isOpen: false, title: 'Parked', text: expect.stringContaining('parked') })
    expect((await page('/.berth/start')).status).toBe(503)
    await test.db.workload.update({ where: { id: other.workload.id }, data: { state: 'removed' }, select: { id: true } })
    await until('ended', async () => (await page('/lab')).status === 410)
    const ended = await page('/lab')
    expect(ended.headers['clear-site-data']).toBe('"cache", "cookies", "storage"')
    expect((await page('/.berth/state')).status).toBe(410)
  })

  it('X24: says that a running workload cannot be reached, and tries again by itself', async () => {
    const { other, pass } = await door.another()
    test.setDoor(other.placementId, 'main', '/nonexistent.sock')
    const answer = await get('/lab', { cookie: pass, accept: 'text/html' }, other)
    expect([answer.status, answer.headers.refresh]).toEqual([503, '3'])
    const upgraded = { host: other.host, path: '/ws', headers: { cookie: pass, origin: `http://${other.host}` } }
    expect(await test.upgrade(upgraded)).toEqual({ status: 503 })
    test.setDoor(other.placementId, 'main', origin.socketPath)
    expect((await get('/lab', { cookie: pass }, other)).body).toBe('served /lab')
  })
})
