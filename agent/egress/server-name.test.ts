import { connect as connectTcp, createServer } from 'node:net'
import { connect } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { readGreeting } from './server-name'

/** The first bytes of a real TLS client. */
async function greetingFor(servername: string | undefined): Promise<Buffer> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const heard = new Promise<Buffer>((resolve) => server.once('connection', (socket) => socket.once('data', resolve)))
  const socket = connectTcp(port, '127.0.0.1')
  const client = connect({ socket, ...(servername === undefined ? {} : { servername }) })
  client.on('error', () => undefined)
  const bytes = await heard
  client.destroy()
  server.close()
  return bytes
}

describe('the greeting of a TLS client', () => {
  it('names the host that it asks for, also when it comes in pieces', async () => {
    const bytes = await greetingFor('ok.example')
    expect(readGreeting(bytes)).toEqual({ state: 'named', host: 'ok.example' })
    for (let cut = 0; cut < bytes.byteLength; cut++) expect(readGreeting(bytes.subarray(0, cut)).state, `${cut}`).toBe('partial')
    const [head, body] = [bytes.subarray(0, 5), bytes.subarray(5)]
    const record = (part: Buffer) =>
      Buffer.concat([head.subarray(0, 3), Buffer.from([part.byteLength >> 8, part.byteLength & 255]), part])
    expect(readGreeting(Buffer.concat([record(body.subarray(0, 50)), record(body.subarray(50))]))).toEqual({
      state: 'named',
      host: 'ok.example',
    })
  })

  it('names nothing when it asks for no host, or is something else', async () => {
    expect(readGreeting(await greetingFor(undefined))).toEqual({ state: 'unnamed' })
    for (const text of ['GET / HTTP/1.1\r\n', 'SSH-2.0-x\r\n', '\x16\x03\x01\x00\x04\x02\x00\x00\x00'])
      expect(readGreeting(Buffer.from(text, 'latin1'))).toEqual({ state: 'unnamed' })
    const torn = Buffer.concat([Buffer.from([0x16, 3, 1, 0, 44, 1, 0, 0, 40]), Buffer.alloc(40, 0xff)])
    expect(readGreeting(torn)).toEqual({ state: 'unnamed' })
    expect(
      readGreeting(Buffer.concat([Buffer.from([0x16, 3, 1, 0xff, 0xff, 1, 0xff, 0xff, 0xff]), Buffer.alloc(20_000)])).state,
    ).toBe('unnamed')
  })
})
