import { once } from 'node:events'
import http2, { type ClientHttp2Session } from 'node:http2'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '@/kit/log'
import { TunnelServer } from './tunnel-server'

// A connection without certificates: who is who is decided before a tunnel begins.
const PSK = { ciphers: 'PSK-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' } as const
const key = Buffer.alloc(16, 7)
let listener: tls.Server
let controller: ClientHttp2Session
let asked: { path: string; body: unknown }[] = []
const closing = new AbortController()
beforeEach(async () => {
  asked = []
  const server = new TunnelServer({
    seen: { count: 0, saw: () => undefined },
    sync: () => Promise.reject(new Error('not asked for here')),
    onChange: () => () => undefined,
    openDoor: async () => null,
    read: async (request, response) => {
      asked.push(request)
      response.writeHead(200).end('bytes')
    },
    log: createLog('agent', { level: 'fatal' }),
  })
  listener = tls.createServer({ ...PSK, pskCallback: () => key }, (socket) => void server.serve(socket, closing.signal))
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const { port } = listener.address() as AddressInfo
  const socket = tls.connect({
    port,
    host: '127.0.0.1',
    ...PSK,
    pskCallback: () => ({ psk: key, identity: 'x' }),
    checkServerIdentity: () => undefined,
  })
  await once(socket, 'secureConnect')
  controller = http2.connect('http://agent', { createConnection: () => socket })
})
afterEach(() => {
  controller.destroy()
  listener.close()
})

async function ask(method: string, path: string, body = ''): Promise<[number, string]> {
  const stream = controller.request({ ':method': method, ':path': path }, { endStream: body === '' })
  const ended = once(stream, 'end')
  const answered = once(stream, 'response') as Promise<[{ ':status'?: number }]>
  if (body !== '') stream.end(body)
  let text = ''
  stream.on('data', (part: Buffer) => {
    text += part.toString()
  })
  const [headers] = await answered
  await ended
  return [headers[':status'] ?? 0, text]
}

describe('what the controller asks over the tunnel', () => {
  it('leads reads and searches to whoever has the bytes, and nothing else', async () => {
    expect(await ask('POST', '/v1/read', '{"a":1}')).toEqual([200, 'bytes'])
    expect(await ask('POST', '/v1/search', 'no json')).toEqual([200, 'bytes'])
    expect((await ask('GET', '/v1/read'))[0]).toBe(404)
    expect((await ask('POST', '/v1/read/', '{}'))[0]).toBe(404)
    expect(asked).toEqual([
      { path: '/v1/read', body: { a: 1 } },
      { path: '/v1/search', body: null },
    ])
  })
})
