import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { relayIpv6Loopback } from './loopback-relay'

const open: { close(): void }[] = []
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})

async function upstream(answer: (text: string) => string): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.on('end', () => socket.end(answer(text)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(server)
  return (server.address() as AddressInfo).port
}

async function ask(port: number, text: string): Promise<string> {
  const socket = connect({ port, host: '::1', allowHalfOpen: true })
  let answer = ''
  socket.on('data', (chunk) => (answer += chunk.toString()))
  socket.end(text)
  await once(socket, 'close')
  return answer
}

describe('relayIpv6Loopback', () => {
  it('passes bytes both ways and the end of each side', async () => {
    const port = await upstream((text) => text.toUpperCase())
    const relay = await relayIpv6Loopback(port)
    if (relay) open.push(relay)
    expect(await ask(port, 'x'.repeat(300_000))).toBe('X'.repeat(300_000))
  })

  it('refuses with one sentence when another program holds the port', async () => {
    const taken = createServer()
    taken.listen(0, '::1')
    await once(taken, 'listening')
    open.push(taken)
    const { port } = taken.address() as AddressInfo
    await expect(relayIpv6Loopback(port)).rejects.toThrow(`port ${port} on [::1] is in use by another program`)
  })

  it('closes the client when nothing listens behind', async () => {
    const port = await upstream(() => '')
    open.splice(0)[0]?.close()
    const relay = await relayIpv6Loopback(port)
    if (relay) open.push(relay)
    expect(await ask(port, 'hello')).toBe('')
  })
})
