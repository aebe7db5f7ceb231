import { createServer, request as httpRequest } from 'node:http'
import { type AddressInfo, connect, createServer as createDoor, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { carry } from './carry'
import { DoorPool } from './door-pool'

/** A workload that keeps connections and ends each at the moment in which it is used again. */
const served: string[] = []
const sockets = new Set<Socket>()
const door = createDoor((socket) => {
  sockets.add(socket)
  let isUsed = false
  let text = ''
  socket.on('error', () => undefined)
  socket.on('data', (bytes) => {
    if (isUsed) return socket.destroy()
    text += bytes.toString('latin1')
    if (!/\r\n\r\n(?:|hello)$/.test(text)) return
    isUsed = true
    served.push(text.split(' ', 1)[0] ?? '')
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
  })
})
const front = createServer((request, response) => {
  void carry({ request, response }, pool).then((error) => error && response.writeHead(503).end())
})
let pool: DoorPool
const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port

beforeEach(async () => {
  served.length = 0
  for (const server of [door, front]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const backend = {
    connect: () =>
      new Promise<Socket>((resolve) => {
        const socket = connect(portOf(door), '127.0.0.1', () => resolve(socket))
      }),
  }
  pool = new DoorPool(backend, { instance: { workloadId: 'w', placementId: 'p', workloadGen: 1 }, door: 'main' })
})
afterEach(async () => {
  pool.close()
  for (const socket of sockets) socket.destroy()
  front.closeAllConnections()
  for (const server of [door, front]) await new Promise((resolve) => server.close(resolve))
})

function ask(method: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = body === '' ? {} : { 'content-length': body.length }
    const request = httpRequest({ port: portOf(front), host: '127.0.0.1', method, headers }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0))
    })
    request.on('error', reject).end(body)
  })
}

it.each([
  ['GET', ''],
  ['POST', 'hello'],
  ['DELETE', ''],
])('a kept connection that its server ends costs a %s nothing, and it is served once', async (method, body) => {
  for (let i = 0; i < 4; i++) expect(await ask(method, body)).toBe(200)
  expect(served).toEqual(Array.from({ length: 4 }, () => method))
})
