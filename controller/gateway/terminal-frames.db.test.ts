import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { because } from '@/domain/reasons'
import { noteRefusals } from '@/server/service/refusals'
import { eachProvider } from '@/testing/databases'
import type { Opened, TestGateway } from '@/testing/gateway'
import { type OpenedSession, openSessionOf } from '@/testing/opened-workload'
import type { TestHost } from '@/testing/session-host'
import { attachWindow, openTerminalSocket, openWindow } from '@/testing/terminal-window'
import { until } from '@/testing/until'

eachProvider('what a terminal’s window may say', (db) => {
  let session: OpenedSession
  let test: TestGateway
  let opened: Opened
  let host: TestHost
  beforeAll(async () => {
    session = await openSessionOf(db())
    ;({ test, opened, host } = session)
  })
  afterAll(() => session.close())

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

  it('X15: tells a page of another version so', async () => {
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

  it('is told in each of its windows which host the session was just refused, once', async () => {
    const { workload, placementId } = opened
    const refused = (host: string) =>
      noteRefusals(test.db, { workloadId: workload.id, placementId, hosts: [{ host, count: 1 }], at: test.clock.now() })
    await refused('before.example')
    const windows = [await attachWindow(test, opened), await attachWindow(test, opened, { mode: 'view' })]
    for (const [i, host] of ['a.example', 'b.example'].entries()) {
      await refused(host)
      await until(`${host} is told`, () => windows.every((w) => w.messages.filter((m) => m.type === 'notice').length > i))
    }
    const reasons = ['a.example', 'b.example'].map((host) => because('egress_denied', { host }))
    for (const window of windows) expect(window.messages.flatMap((m) => (m.type === 'notice' ? [m.reason] : []))).toEqual(reasons)
    const later = await attachWindow(test, opened, { mode: 'view' })
    windows.push(later)
    expect(later.last('notice')).toBeUndefined()
    for (const window of windows) window.socket.close(1000)
    await until('both left', () => windows.every((w) => w.closed !== null))
  })
})
