import { afterAll, beforeAll, expect, it } from 'vitest'
import { addresses } from '@/domain/settings'
import { mintTicket } from '@/server/service/tickets'
import { revokeSignIn } from '@/server/store/system/sign-ins'
import { eachProvider } from '@/testing/databases'
import { type Opened, seedAgain, seedRunning, seedSignIn, type TestGateway } from '@/testing/gateway'
import { type OpenedSession, openSessionOf } from '@/testing/opened-workload'
import { startSessionHost } from '@/testing/session-host'
import { attachWindow, openWindow } from '@/testing/terminal-window'
import { NOISE_MS, until } from '@/testing/until'

eachProvider('terminals', (db) => {
  let session: OpenedSession
  let test: TestGateway
  let opened: Opened
  beforeAll(async () => {
    session = await openSessionOf(db())
    ;({ test, opened } = session)
  })
  afterAll(() => session.close())

  it('tells a window its mode before any byte, and carries keys and output', async () => {
    const window = await attachWindow(test, opened)
    expect(window.control).toEqual({ mode: 'control', controllerGen: 1 })
    window.type('echo $((40+2))\n')
    await window.sees('42')
    expect(window.order[0]).toBe('attached')
    expect(window.order.indexOf('snapshot-bytes')).toBeGreaterThan(window.order.indexOf('snapshot'))
    window.socket.close(1000)
    await window.end()
  })

  it.each([
    ['null', 'null'],
    ['empty', ''],
    ['a workload', (t: TestGateway) => `http://w-${'a'.repeat(26)}.localhost:${t.port}`],
    ['the data host', (t: TestGateway) => `http://io.berth.localhost:${t.port}`],
    ['localhost', (t: TestGateway) => `http://localhost:${t.dashboardPort}`],
    ['another port', (t: TestGateway) => `http://berth.localhost:${t.port}`],
    ['no port', 'http://berth.localhost'],
    ['another scheme', (t: TestGateway) => `https://berth.localhost:${t.dashboardPort}`],
    ['another case', (t: TestGateway) => `http://Berth.localhost:${t.dashboardPort}`],
    ['a look-alike prefix', (t: TestGateway) => `http://xberth.localhost:${t.dashboardPort}`],
    ['a look-alike suffix', (t: TestGateway) => `http://berth.localhost:${t.dashboardPort}.evil.example`],
    ['a child', (t: TestGateway) => `http://a.berth.localhost:${t.dashboardPort}`],
    ['a path', (t: TestGateway) => `http://berth.localhost:${t.dashboardPort}/`],
    ['two origins', (t: TestGateway) => `http://berth.localhost:${t.dashboardPort}, http://evil.example`],
  ])('V1, G10: opens no terminal for an origin that is %s', async (_what, make) => {
    const origin = typeof make === 'function' ? make(test) : make
    const asked = { host: addresses(test.dashboardPort).dataHost, path: '/terminal', headers: { origin } }
    expect(await test.upgrade(asked)).toEqual({ status: 403 })
  })

  it('lets a program in without an origin, but no browser that hides it', async () => {
    const host = addresses(test.dashboardPort).dataHost
    const program = await test.upgrade({ host, path: '/terminal' })
    expect('status' in program).toBe(false)
    if (!('status' in program)) program.terminate()
    for (const headers of [{ cookie: 'a=1' }, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-mode': 'websocket' }] as Record<
      string,
      string
    >[])
      expect(await test.upgrade({ host, path: '/terminal', headers })).toEqual({ status: 403 })
  })

  it('serves a terminal at exactly one path of one host', async () => {
    const origin = addresses(test.dashboardPort).dashboardOrigin
    const data = addresses(test.dashboardPort).dataHost
    for (const path of ['/', '/terminal/', '/terminal?x', '/Terminal', '//terminal'])
      expect(await test.upgrade({ host: data, path, headers: { origin } })).toEqual({ status: 404 })
    expect((await test.request({ host: data, path: '/terminal' })).status).toBe(404)
    expect(await test.upgrade({ host: `io.evil.localhost:${test.port}`, path: '/terminal', headers: { origin } })).toEqual({
      status: 421,
    })
  })

  it('G5: takes each ticket once, in time, for its session and purpose', async () => {
    const { ticket } = await mintTicket(opened.ctx, { workloadId: opened.workload.id, purpose: 'terminal-view' })
    const first = await attachWindow(test, opened, { ticket, mode: 'view' })
    expect((await (await openWindow(test, opened, { ticket })).end()).code).toBe(4401)
    const late = await mintTicket(opened.ctx, { workloadId: opened.workload.id, purpose: 'terminal-view' })
    test.clock.advance(31_000)
    expect((await (await openWindow(test, opened, { ticket: late.ticket })).end()).code).toBe(4401)
    expect((await (await openWindow(test, opened, { purpose: 'http' })).end()).code).toBe(4401)
    expect((await (await openWindow(test, opened, { ticket: 'x'.repeat(43) })).end()).code).toBe(4401)
    first.socket.close()
    await first.end()
    expect(test.logged()).not.toContain(ticket)
  })

  it('takes one of 20 uses of a ticket at once', async () => {
    const { ticket } = await mintTicket(opened.ctx, { workloadId: opened.workload.id, purpose: 'terminal-view' })
    const windows = await Promise.all(Array.from({ length: 20 }, () => openWindow(test, opened, { ticket, mode: 'view' })))
    await until('all are answered', () => windows.every((w) => w.closed !== null || w.last('attached') !== undefined))
    expect(windows.filter((w) => w.last('attached')).length).toBe(1)
    for (const window of windows) window.socket.close()
  })

  it('V6: gives a viewer’s ticket no control, whatever the window asks', async () => {
    const window = await attachWindow(test, opened, { purpose: 'terminal-view', mode: 'control' })
    expect(window.control.mode).toBe('view')
    window.say({ type: 'claim', expected: window.control.controllerGen })
    await window.hears('stale')
    const sent = test.dialled.at(-1)?.stream.bytesWritten
    window.type('echo viewer-typed\n').say({ type: 'resize', cols: 90, rows: 30 })
    const typer = await attachWindow(test, opened)
    expect(typer.control.mode).toBe('control')
    typer.type('echo after-$((1+1))\n')
    await typer.sees('after-2')
    expect(typer.screen).not.toContain('viewer-typed')
    expect(test.dialled.at(-2)?.stream.bytesWritten).toBe(sent) // not even to the session-host, which would drop it
    for (const each of [window, typer]) each.socket.close(1000)
    await until('both left', () => window.closed !== null && typer.closed !== null)
  })

  it('keeps nothing of a window that left while its session was being reached', async () => {
    const held: (() => void)[] = []
    test.beforeConnect = () => new Promise((resolve) => held.push(resolve))
    const before = test.dialled.length
    const window = await openWindow(test, opened)
    await until('it is being reached', () => held.length === 1)
    window.socket.terminate()
    await until('it left', () => window.closed !== null)
    await test.request({ host: opened.host, path: '/' }) // its end reached the gateway before this did
    held[0]?.()
    await until(
      'the stream was opened and let go',
      () => test.dialled.length === before + 1 && test.dialled.at(-1)?.stream.destroyed === true,
    )
    test.beforeConnect = async () => undefined
    const after = await attachWindow(test, opened)
    expect(after.control.mode).toBe('control')
    after.socket.close(1000)
    await after.end()
  })

  it('G15: closes open terminals within 2 s of a revoked sign-in, and no others', async () => {
    const second = { ...opened.ctx, signInId: await seedSignIn(test, opened.ctx.person.id) }
    const [lost, stays] = [await attachWindow(test, opened, { ctx: second }), await attachWindow(test, opened)]
    await revokeSignIn(test.db, { userId: second.person.id, id: second.signInId, at: test.clock.now() })
    const ms = await until('closed', () => lost.closed !== null)
    expect(ms).toBeLessThan(2000 + NOISE_MS)
    expect(lost.closed?.code).toBe(4401)
    expect(stays.closed).toBeNull()
    stays.socket.close(1000)
    await stays.end()
  })

  it('closes terminals of a placement that is not the current one', async () => {
    const other = await seedRunning(test)
    const otherHost = await startSessionHost(test, other)
    const window = await attachWindow(test, other)
    await seedAgain(test, other)
    await window.end()
    await otherHost.end()
  })

  it('X24: says that a session does not run, or cannot be reached', async () => {
    const other = await seedRunning(test)
    expect((await (await openWindow(test, other)).end()).code).toBe(4410)
    test.setDoor(other.placementId, 'terminal', '/nonexistent.sock')
    expect((await (await openWindow(test, other)).end()).code).toBe(4503)
  })

  it('holds a person to 50 terminals', async () => {
    const many = await Promise.all(Array.from({ length: 51 }, () => openWindow(test, opened, { mode: 'view' })))
    await until('all are answered', () => many.every((w) => w.closed !== null || w.last('attached') !== undefined))
    expect(many.filter((w) => w.closed !== null).map((w) => w.closed?.reason)).toEqual(['you have too many terminals open'])
    for (const window of many) window.socket.close(1000)
    await until('all left', () => many.every((w) => w.closed !== null))
  })
})
