import { createServer, request, type Server } from 'node:http'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { createLog } from '@/kit/log'
import { freshDatabase } from '@/testing/databases'
import { seedRunning, startGateway } from '@/testing/gateway'
import { startOrigin } from '@/testing/origin'
import { raw } from '@/testing/raw-http'
import { until } from '@/testing/until'
import { createGateway } from './gateway'

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((address) => address?.address === '::1')
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const unused = () => Promise.reject(new Error('unused'))

async function started() {
  const database = await freshDatabase('sqlite')
  closing.push(database.drop)
  const test = await startGateway(database.db)
  closing.push(test.close)
  return test
}

describe('createGateway', () => {
  it.runIf(hasIpv6)('holds both loopback families, and only them', async () => {
    const test = await started()
    expect(await statusOf(test.port, '127.0.0.1')).toBe(421)
    expect(await statusOf(test.port, '::1')).toBe(421)
    const others = Object.values(networkInterfaces()).flatMap((list) =>
      (list ?? []).filter((a) => !a.internal && a.family === 'IPv4'),
    )
    for (const other of others) await expect(statusOf(test.port, other.address)).rejects.toThrow('ECONNREFUSED')
  })

  it.each(hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1'])(
    'says that the port is busy on %s, and holds nothing then',
    async (host) => {
      const other = createServer()
      const port = await portOf(other, host)
      const gateway = createGateway({
        db: (await started()).db,
        log: createLog('test', { level: 'error' }),
        settings: { BERTH_PORT: port - 1, BERTH_RUNTIME_DIR: '/nonexistent' },
        backend: { connect: unused, read: unused, search: unused, notebooks: unused },
        clock: { now: () => new Date() },
      })
      const address = host === '::1' ? `[::1]:${port}` : `127.0.0.1:${port}`
      await expect(gateway.listen()).rejects.toThrow(
        `${address} is in use by another program; stop it, or choose another port with BERTH_PORT`,
      )
      await new Promise((resolve) => other.close(resolve))
      await expect(statusOf(port, '127.0.0.1')).rejects.toThrow('ECONNREFUSED')
    },
  )

  it('L1: serves everybody else beside 1,000 who send nothing or half a header, and ends those after 10 s', async () => {
    const test = await started()
    const half = `GET / HTTP/1.1\r\nHost: x\r\n`
    const sockets = Array.from({ length: 1000 }, (_, n) => {
      const socket = connect(test.port, '127.0.0.1', () => n % 2 === 0 && socket.write(half))
      socket.on('error', () => undefined)
      return socket.resume()
    })
    await until('all are connected', () => sockets.every((socket) => socket.readyState === 'open'))
    const begun = performance.now()
    for (let n = 0; n < 20; n++) expect(await statusOf(test.port, '127.0.0.1')).toBe(421)
    expect(performance.now() - begun).toBeLessThan(5000)
    await until('all are ended', () => sockets.every((socket) => socket.destroyed), 30_000)
    expect(await statusOf(test.port, '127.0.0.1')).toBe(421)
  })

  it('L1: refuses a request and an upgrade with more than 100 headers, and goes on', async () => {
    const test = await started()
    const many = Array.from({ length: 2500 }, (_, n) => `a${n}:`).join('\r\n')
    for (const more of ['', 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n'])
      expect(await raw(test.port, `GET /terminal HTTP/1.1\r\nHost: x\r\n${more}${many}\r\n\r\n`)).toMatch(/^HTTP\/1.1 4/)
    expect(await statusOf(test.port, '127.0.0.1')).toBe(421)
  })

  it('ends every connection when it closes, and opens no new one', async () => {
    const test = await started()
    const opened = await seedRunning(test)
    const origin = await startOrigin()
    closing.push(origin.close)
    test.setDoor(opened.placementId, 'main', origin.socketPath)
    const idle = new Promise((resolve) => {
      request({ host: '127.0.0.1', port: test.port, headers: { host: opened.host } }, (answer) => answer.resume())
        .on('socket', (socket) => socket.on('close', resolve))
        .on('error', () => undefined)
        .end()
    })
    await test.gateway.close()
    await idle
    await expect(statusOf(test.port, '127.0.0.1')).rejects.toThrow('ECONNREFUSED')
  })
})

function statusOf(port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host, port, headers: { host: 'example.test' }, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

async function portOf(server: Server, host: string): Promise<number> {
  await new Promise<void>((resolve) => server.listen({ host, port: 0, ipv6Only: true }, resolve))
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
