import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { addresses } from '@/domain/settings'
import { mintTicket } from '@/server/service/tickets'
import { freshDatabase } from '@/testing/databases'
import { type Opened, seedRunning, startGateway, type TestGateway } from '@/testing/gateway'
import { startSessionHost, type TestHost } from '@/testing/session-host'
import { attachWindow, type TerminalWindow } from '@/testing/terminal-window'
import { until } from '@/testing/until'
import { TerminalConnection } from './connection'
import type { TerminalEvents } from './connection-events'
import type { TerminalOptions } from './connection-options'
import type { TerminalSocket } from './terminal-socket'

/** A page's connection over a real socket, with everything that it was told. */
function page(test: TestGateway, opened: Opened, change: Partial<TerminalOptions> = {}) {
  const sockets: WebSocket[] = []
  const tickets: string[] = []
  const log: { [E in keyof TerminalEvents]: TerminalEvents[E][] } = {
    output: [],
    snapshot: [],
    gap: [],
    size: [],
    exit: [],
    mode: [],
    presence: [],
    notice: [],
    status: [],
  }
  const { dataHost, dashboardOrigin } = addresses(test.dashboardPort)
  const connection = new TerminalConnection({
    url: `ws://${dataHost}/terminal`,
    getTicket: async () => {
      const { ticket } = await mintTicket(opened.ctx, { workloadId: opened.workload.id, purpose: 'terminal-control' })
      tickets.push(ticket)
      return ticket
    },
    mode: 'control',
    cols: 80,
    rows: 24,
    openSocket: (url) => {
      // Names below localhost resolve in browsers only.
      const { pathname } = new URL(url)
      const headers = { host: dataHost, origin: dashboardOrigin }
      const socket = new WebSocket(`ws://127.0.0.1:${test.port}${pathname}`, { headers })
      sockets.push(socket)
      return socket as unknown as TerminalSocket
    },
    ...change,
  })
  for (const event of Object.keys(log) as (keyof TerminalEvents)[])
    connection.on(event, (value) => log[event].push(value as never))
  const text = () => Buffer.concat(log.output.map(({ bytes }) => bytes)).toString('utf8')
  const screen = () => `${log.snapshot.map(({ bytes }) => Buffer.from(bytes).toString('utf8')).join('')}${text()}`
  return {
    connection,
    log,
    tickets,
    text,
    cut: () => sockets.at(-1)?.terminate(),
    sees: (words: string) => until(`the page sees ${words}`, () => screen().includes(words)),
    is: (status: string, withinMs?: number) => until(`the page is ${status}`, () => connection.status === status, withinMs),
  }
}

describe('TerminalConnection', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let test: TestGateway
  let opened: Opened
  let host: TestHost
  const pages: ReturnType<typeof page>[] = []
  const watching: TerminalWindow[] = []
  beforeAll(async () => {
    database = await freshDatabase('sqlite')
    test = await startGateway(database.db)
    opened = await seedRunning(test)
    host = await startSessionHost(test, opened)
  })
  afterEach(async () => {
    for (const each of pages.splice(0)) each.connection.close()
    for (const each of watching.splice(0)) each.socket.close(1000)
    await until('nobody is connected', () => test.dialled.every(({ stream }) => stream.destroyed))
    test.clock.advance(31_000)
  })
  afterAll(async () => {
    await test.close()
    await host.end()
    await database.drop()
  })

  const open = async (change: Partial<TerminalOptions> = {}) => {
    const made = page(test, opened, change)
    pages.push(made)
    made.connection.connect()
    await made.is('open')
    return made
  }

  it('tells its mode, paints a screen, and carries keys and output', async () => {
    const one = await open()
    await until('it types', () => one.connection.mode === 'control')
    await until('a screen', () => one.log.snapshot.length === 1)
    expect(one.connection.send('echo sum-$((40+2))\r')).toBe(true)
    await one.sees('sum-42')
    expect(one.log.status.map(({ status }) => status)).toEqual(['connecting', 'open'])
    expect(one.log.presence.at(-1)).toEqual({ viewers: 0, controller: 'Mara' })
  })

  it('comes back from the last byte handed out, each byte once, with a fresh ticket for each connect', async () => {
    const whole = await attachWindow(test, opened, { mode: 'view', since: { workloadGen: 1, seq: 0 } })
    watching.push(whole)
    const one = await open()
    await until('a screen', () => one.log.snapshot.length === 1)
    // No program is started for a row, so that a busy machine does not make this slow.
    one.connection.send("for i in $(seq 1 300); do printf 'row-%s-%050d\\n' $i $i; read -t 0.01 x; done; echo all-$((4+4))\r")
    for (let cuts = 0; cuts < 5; cuts++) {
      const before = one.log.output.length
      await until('more output', () => one.log.output.length > before + 2)
      one.cut()
      await one.is('waiting')
      await one.is('open')
    }
    await one.sees('all-8')
    await whole.sees('all-8')
    const start = one.log.snapshot[0]?.seq ?? 0
    await until('both have everything', () => start + Buffer.byteLength(one.text()) === whole.next)
    expect(one.text()).toBe(whole.output.subarray(start).toString('utf8'))
    expect(one.log.snapshot.length).toBe(1)
    expect(one.log.gap).toEqual([])
    expect(new Set(one.tickets).size).toBe(6)
  })

  it('has control again after a cut, and replays no input', async () => {
    const one = await open()
    await until('it types', () => one.connection.mode === 'control')
    const held = one.connection.controllerGen
    one.cut()
    await one.is('waiting')
    expect(one.connection.send('echo typed-while-away\r')).toBe(false)
    await until('control is back', () => one.connection.status === 'open' && one.connection.controllerGen === held + 1)
    expect(one.connection.mode).toBe('control')
    one.connection.send('echo typed-after\r')
    await one.sees('typed-after')
    expect(one.text()).not.toContain('typed-while-away')
  })

  it('X53: comes back as a viewer when another one took control meanwhile', async () => {
    const one = await open()
    const two = await open({ mode: 'view' })
    await until('the first types', () => one.connection.mode === 'control')
    one.cut()
    await one.is('waiting')
    two.connection.claim()
    await until('the second types', () => two.connection.mode === 'control')
    await one.is('open')
    await until('it knows', () => one.log.mode.at(-1)?.mode === 'view' && one.connection.status === 'open')
    expect(one.connection.send('x')).toBe(false)
    expect(two.connection.mode).toBe('control')
  })

  it('says that a claim lost, and wins the next one with the number that it was told', async () => {
    const one = await open()
    const two = await open()
    await until('both are told', () => one.log.mode.length > 0 && two.log.mode.length > 0)
    two.connection.claim()
    await until('the second types', () => two.connection.mode === 'control')
    await until('the first watches', () => one.connection.mode === 'view')
    one.connection.claim()
    await until('the first types again', () => one.connection.mode === 'control' && two.connection.mode === 'view')
    one.connection.release()
    await until('nobody types', () => two.log.presence.at(-1)?.controller === null)
    const viewer = await open({
      mode: 'view',
      getTicket: async () => (await mintTicket(opened.ctx, { workloadId: opened.workload.id, purpose: 'terminal-view' })).ticket,
    })
    viewer.connection.claim()
    await until('refused', () => viewer.log.mode.some(({ wasRefused }) => wasRefused))
    expect(viewer.connection.mode).toBe('view')
  })

  it('X5 X9: comes back after a restart of the controller by itself', async () => {
    const one = await open()
    await until('it types', () => one.connection.mode === 'control')
    await test.restart()
    await until('it lost the connection', () => one.log.status.some(({ closeCode }) => closeCode === 4503))
    await until('it is back', () => one.connection.status === 'open' && one.connection.mode === 'control')
    one.connection.send('echo back-$((9+9))\r')
    await one.sees('back-18')
  })

  it('X28: waits longer each time, from 100 ms to 2 s, while nothing answers', async () => {
    const made = page(test, opened, { getTicket: () => Promise.reject(new Error('away')) })
    pages.push(made)
    made.connection.connect()
    await until('five tries', () => made.log.status.filter(({ status }) => status === 'waiting').length === 5)
    expect(made.log.status.flatMap(({ retryInMs }) => retryInMs ?? [])).toEqual([100, 200, 400, 800, 1600])
    made.connection.close()
    expect(made.connection.status).toBe('closed')
  })

  it('stops when it is given no ticket any more', async () => {
    const made = page(test, opened, { getTicket: async () => null })
    pages.push(made)
    made.connection.connect()
    await made.is('ended')
  })

  it('loses no resize that comes while it connects', async () => {
    const made = page(test, opened)
    pages.push(made)
    made.connection.connect()
    made.connection.resize(90, 25)
    await made.is('open')
    made.connection.resize(91, 26)
    await until('the size is there', () => made.log.size.at(-1)?.cols === 91 && made.log.size.at(-1)?.rows === 26)
  })

  it('gives control back when it is closed', async () => {
    const one = await open()
    const two = await open()
    await until('the first types', () => one.connection.mode === 'control')
    one.connection.close()
    await until('nobody types', () => two.log.presence.at(-1)?.controller === null)
    one.connection.connect()
    await one.is('open')
    await until('it asks for control as at first', () => one.connection.mode === 'control')
  })

  it('ends with the program and says its code', async () => {
    const other = await seedRunning(test)
    const otherHost = await startSessionHost(test, other, ['/bin/sh', '-c', 'echo short; exit 3'])
    const made = page(test, other)
    pages.push(made)
    made.connection.connect()
    await until('it ended', () => made.log.exit.length === 1)
    expect(made.log.exit[0]).toEqual({ code: 3 })
    await otherHost.end()
    await made.is('ended')
  })
})
