import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { openPortsDoor } from '@/agent/host/ports-door'
import { addresses } from '@/domain/settings'
import { doorTokenFile } from '@/protocol/paths'
import { mintTicket } from '@/server/service/tickets'
import { eachProvider } from '@/testing/databases'
import {
  cookieOf,
  enterWorkload,
  type Opened,
  postTicket,
  seedRunning,
  startEntering,
  startGateway,
  type TestGateway,
} from '@/testing/gateway'
import { type Origin, startOrigin } from '@/testing/origin'

/** A development server on a port of this machine, as a session has one inside. */
async function devServer(host: string): Promise<{ port: number; server: Server; seen: string[] }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(request.url ?? '')
    response.end(JSON.stringify(request.headers))
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })))
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const address = server.address()
  return { server, seen, port: typeof address === 'object' && address ? address.port : 0 }
}

eachProvider('another port of a workload', (db) => {
  let test: TestGateway
  let opened: Opened
  let dir: string
  let dev: Awaited<ReturnType<typeof devServer>>
  let door: Awaited<ReturnType<typeof openPortsDoor>>
  let origin: Origin
  const RESERVED = 3128
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'ports-'))
    test = await startGateway(db(), { runtimeDir: dir })
    opened = await seedRunning(test)
    dev = await devServer('127.0.0.1')
    origin = await startOrigin()
    door = await openPortsDoor(join(dir, 'ports.sock'), [RESERVED])
    for (const port of [dev.port, 1, RESERVED]) test.setDoor(opened.placementId, port, join(dir, 'ports.sock'))
    test.setDoor(opened.placementId, 'main', origin.socketPath)
  })
  afterAll(async () => {
    await test.close()
    dev.server.close()
    door.close()
    await origin.close()
    rmSync(dir, { recursive: true, force: true })
  })

  const hostOf = (port: number, of = opened) => addresses(test.dashboardPort).workloadHost(of.label, port)
  /** The whole way in at the port's own host. */
  const enter = async (port: number) => {
    const at = { ...opened, host: hostOf(port) }
    const { nonce, nonceHash } = await startEntering(test, at)
    const { ticket } = await mintTicket(opened.ctx, { workloadId: opened.workload.id, purpose: 'http', nonceHash })
    return cookieOf(await postTicket(test, at, { ticket, nonce }), '__Host-berth_app')
  }

  it('is served at a host of its own, with a pass of its own', async () => {
    const start = await test.request({ host: hostOf(dev.port), path: '/.berth/start' })
    expect(new URL(start.headers.location ?? '').searchParams.get('port')).toBe(String(dev.port))
    const cookie = await enter(dev.port)
    const answer = await test.request({ host: hostOf(dev.port), path: '/app.js?x', headers: { cookie } })
    expect([answer.status, dev.seen.at(-1)]).toEqual([200, '/app.js?x'])
    expect(JSON.parse(answer.body)).toMatchObject({ host: hostOf(dev.port), 'x-forwarded-host': hostOf(dev.port) })
    expect(JSON.parse(answer.body).cookie).toBeUndefined()
  })

  it('G2, G10: carries upgrades from that very origin, and nothing from a sibling port', async () => {
    const [host, main] = [hostOf(dev.port), opened.host]
    const cookie = await enter(dev.port)
    const socket = await test.upgrade({ host, path: '/hmr', headers: { cookie, origin: `http://${host}` } })
    if (!(socket instanceof WebSocket)) throw new Error('no socket')
    socket.send('hello')
    expect(await new Promise((resolve) => socket.once('message', (data) => resolve(String(data))))).toBe('hello')
    socket.close()
    const seen = dev.seen.length
    for (const headers of [{ origin: `http://${main}` }, { 'sec-fetch-site': 'same-site' }] as Record<string, string>[])
      expect((await test.request({ host, path: '/', method: 'POST', headers: { cookie, ...headers } })).status).toBe(403)
    expect(await test.upgrade({ host, path: '/hmr', headers: { cookie, origin: `http://${main}` } })).toEqual({ status: 403 })
    expect(dev.seen.length).toBe(seen)
  })

  it('G9: takes no pass of another port, nor of the workload’s own host, and gives neither of these one', async () => {
    const [port, main] = [await enter(dev.port), await enterWorkload(test, opened)]
    const before = [dev.seen.length, origin.seen.length]
    const ask = (host: string, cookie: string) => test.request({ host, path: '/', headers: { cookie } }).then((a) => a.status)
    expect(await ask(hostOf(1), port)).toBe(401)
    expect(await ask(opened.host, port)).toBe(401)
    expect(await ask(hostOf(dev.port), main)).toBe(401)
    expect([dev.seen.length, origin.seen.length]).toEqual(before)
    expect([await ask(opened.host, main), await ask(hostOf(dev.port), port)]).toEqual([200, 200])
  })

  it('G9: asks for a pass by request and by upgrade', async () => {
    const host = hostOf(dev.port)
    expect((await test.request({ host, path: '/' })).status).toBe(401)
    expect(await test.upgrade({ host, path: '/', headers: { origin: `http://${host}` } })).toEqual({ status: 401 })
  })

  it('says that nothing listens there, and gives the way out of the namespace to nobody', async () => {
    for (const port of [1, RESERVED]) {
      const answer = await test.request({ host: hostOf(port), path: '/', headers: { cookie: await enter(port) } })
      const text = `Nothing listens on port ${port} of ${opened.workload.name} yet. This page tries again by itself.`
      expect([answer.status, answer.body]).toEqual([503, `${text}\n`])
    }
  })

  it('tells a page of a closed port from an instance that does not answer, and names it to nobody without a pass', async () => {
    const look = (port: number, cookie?: string) => {
      const headers = { accept: 'text/html', 'sec-fetch-dest': 'document', ...(cookie && { cookie }) }
      return test.request({ host: hostOf(port), path: '/', headers })
    }
    const closed = await look(1, await enter(1))
    expect([closed.status, closed.headers.refresh]).toEqual([503, '3'])
    expect(closed.body).toContain(`Nothing listens on port 1 of ${opened.workload.name} yet.`)
    const away = await look(2, await enter(2)) // no door at all
    expect([away.status, away.body]).toEqual([503, expect.stringContaining('cannot be reached right now')])
    for (const stranger of [await look(1), await test.request({ host: hostOf(1), path: '/' })])
      expect([stranger.status === 503, stranger.body.includes(opened.workload.name)]).toEqual([false, false])
  })

  it.each(['0', '65536', '08080', '80a'])('answers 404 to the port %s', async (port) => {
    const host = `w-${opened.label}--${port}.localhost:${test.port}`
    expect((await test.request({ host, path: '/.berth/start' })).status).toBe(404)
  })

  it('is nowhere for a workload that shares the network of its machine', async () => {
    const plain = await seedRunning(test)
    await test.db.placement.update({ where: { id: plain.placementId }, data: { driver: 'process-plain' }, select: { id: true } })
    for (const path of ['/', '/.berth/start']) {
      const answer = await test.request({ host: hostOf(dev.port, plain), path })
      expect([answer.status, answer.body]).toEqual([404, expect.stringContaining('shares the network')])
    }
  })

  it('G7: adds the token of a server that needs one, and takes the person’s own away from it', async () => {
    const shared = await seedRunning(test)
    test.setDoor(shared.placementId, 'main', origin.socketPath)
    const file = doorTokenFile(dir, shared.placementId)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${'t0ken'.repeat(8)}\n`)
    const cookie = await enterWorkload(test, shared)
    const sent = async (headers: Record<string, string>) => {
      const answer = await test.request({ host: shared.host, path: '/headers', headers: { cookie, ...headers } })
      const raw: string[] = JSON.parse(answer.body).rawHeaders
      return raw.filter((_, i) => raw[i - 1]?.toLowerCase() === 'authorization')
    }
    expect(await sent({})).toEqual([`token ${'t0ken'.repeat(8)}`])
    expect(await sent({ authorization: 'Bearer mine' })).toEqual([`token ${'t0ken'.repeat(8)}`])
    const other = await test.request({
      host: opened.host,
      path: '/headers',
      headers: { cookie: await enterWorkload(test, opened) },
    })
    expect(other.body.toLowerCase()).not.toContain('authorization')
  })
})

it('reaches a server that listens on the other loopback address', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'ports-'))
  const dev = await devServer('::1').catch(() => null)
  if (!dev) return // a machine without IPv6
  const door = await openPortsDoor(join(dir, 'ports.sock'), [])
  const { connect } = await import('node:net')
  const socket = connect(join(dir, 'ports.sock'))
  socket.write(`${dev.port}\nGET / HTTP/1.0\r\n\r\n`)
  const answer = Buffer.concat(await socket.toArray()).toString()
  expect(answer).toMatch(/^\+HTTP\/1.1 200 OK/)
  door.close()
  dev.server.close()
  rmSync(dir, { recursive: true, force: true })
})
