import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addresses } from '@/domain/settings'
import { mintTicket } from '@/server/service/tickets'
import { revokeSignIn } from '@/server/store/system/sign-ins'
import { eachProvider } from '@/testing/databases'
import { type Opened, seedAgain, seedRunning, seedSignIn, type TestGateway } from '@/testing/gateway'
import { type OpenedSession, openSessionOf } from '@/testing/opened-workload'
import { startSessionHost, type TestHost } from '@/testing/session-host'
import { attachWindow, openTerminalSocket, openWindow } from '@/testing/terminal-window'
import { until } from '@/testing/until'

eachProvider('terminals', (db) => {
  let session: OpenedSession
  let test: TestGateway
  let opened: Opened
  let host: TestHost
  beforeAll(async () => {
    session = await openSessionOf(db())
    ;({ test, opened, host } = session)
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

  it('closes a socket that says no hello within 5 s', async () => {
    const window = await openTerminalSocket(test)
    const { code, reason } = await window.end(8000)
    expect([code, reason]).toEqual([1008, 'no hello'])
  })

  it.each([
    ['no JSON', (w) => w.socket.send('{')],
    ['an unknown message', (w) => w.say({ type: 'kill' })],
    ['a second hello', (w) => w.say({ type: 'hello', protocol: 1, ticket: 'x', mode: 'view', cols: 80, rows: 24 })],
    ['a size beyond the bound', (w) => w.say({ type: 'resize', cols: 501, rows: 24 })],
    ['a stamped resize', (w) => w.say({ type: 'resize', cols: 80, rows: 24, controllerGen: 99 })],
    ['a short frame', (w) => w.socket.send(Buffer.from([3, 0]))],
    ['output from a client', (w) => w.socket.send(Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 0, 65]))],
    ['an unknown frame', (w) => w.socket.send(Buffer.from([9, 0, 0, 0, 0, 0, 0, 0, 0, 65]))],
  ] as [string, (w: Awaited<ReturnType<typeof attachWindow>>) => void][])(
    'closes a window that sends %s',
    async (_what, send) => {
      const window = await attachWindow(test, opened, { mode: 'view' })
      send(window)
      expect((await window.end()).code).toBe(1008)
    },
  )

  it('takes nothing from a window that it has begun to close', async () => {
    const watcher = await attachWindow(test, opened, { mode: 'view' })
    const window = await attachWindow(test, opened)
    await until('it types', () => window.control.mode === 'control')
    window.type('echo before-$((2+3))\n')
    await watcher.sees('before-5')
    window.socket.send('{')
    for (let i = 0; i < 50; i++) window.type('echo after-closing\n')
    await window.end()
    const next = await attachWindow(test, opened)
    next.say({ type: 'claim', expected: next.control.controllerGen })
    await until('another one types', () => next.control.mode === 'control')
    next.type('echo next-$((4+5))\n')
    await watcher.sees('next-9')
    expect(watcher.screen).not.toContain('after-closing')
    for (const each of [watcher, next]) each.socket.close(1000)
    await until('both left', () => watcher.closed !== null && next.closed !== null)
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

  it('V6: refuses a first message that is no hello, and a frame of 1 MiB', async () => {
    const early = await openTerminalSocket(test)
    early.say({ type: 'claim', expected: 0 })
    expect((await early.end()).code).toBe(1008)
    const typed = await openTerminalSocket(test)
    typed.type('ls\n')
    expect((await typed.end()).code).toBe(1008)
    const large = await attachWindow(test, opened, { mode: 'view' })
    large.socket.send(Buffer.alloc(2 ** 20, 3))
    expect((await large.end()).code).toBe(1009)
  })

  it('V8: writes nothing that is typed or printed to a log', async () => {
    const window = await attachWindow(test, opened)
    await until('it types', () => window.control.mode === 'control')
    const canary = `canary-${opened.placementId}`
    window.type(`echo ${canary} | tr a-z A-Z\n`)
    await window.sees(canary.toUpperCase().slice(0, 20))
    for (const log of [test.logged(), readFileSync(`${host.dir}/host.log`, 'utf8')])
      expect(log.toLowerCase()).not.toContain('canary')
    window.socket.close(1000)
    await window.end()
  })

  it('closes a window that floods it with messages', async () => {
    const window = await attachWindow(test, opened, { mode: 'view' })
    for (let i = 0; i < 1000; i++) window.say({ type: 'resize', cols: 80, rows: 24 })
    expect((await window.end()).reason).toBe('too many messages')
  })

  it('tells a page of another version so', async () => {
    const window = await openWindow(test, opened, { protocol: 7 })
    expect(await window.end()).toEqual({ code: 4400, reason: expect.stringContaining('reload') })
  })

  it('drops what only the gateway may say, and locks nobody out', async () => {
    const window = await attachWindow(test, opened)
    for (const type of ['bind', 'unbind', 'control', 'control_ack']) window.say({ type, controllerGen: 2 ** 31 })
    window.type('echo still-$((3+4))\n')
    await window.sees('still-7')
    window.socket.close(1000)
    await window.end()
    const next = await attachWindow(test, opened)
    expect(next.control.mode).toBe('control')
    next.socket.close(1000)
    await next.end()
  })

  it('G15: closes open terminals within 2 s of a revoked sign-in, and no others', async () => {
    const second = { ...opened.ctx, signInId: await seedSignIn(test, opened.ctx.person.id) }
    const [lost, stays] = [await attachWindow(test, opened, { ctx: second }), await attachWindow(test, opened)]
    await revokeSignIn(test.db, { userId: second.person.id, id: second.signInId, at: test.clock.now() })
    const ms = await until('closed', () => lost.closed !== null)
    expect(ms).toBeLessThan(2000)
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

  it('says that a session does not run, or cannot be reached', async () => {
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
