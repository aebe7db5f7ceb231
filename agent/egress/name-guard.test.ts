import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openAudit } from './audit'
import { createProxy } from './proxy'

let dir = ''
let origin: Server
let proxy: ReturnType<typeof createProxy>
/** What came to the other end of a tunnel. */
let arrived: Buffer[] = []
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ng-'))
  arrived = []
  origin = createServer((socket) => socket.on('error', () => undefined).on('data', (bytes) => arrived.push(bytes)))
  await new Promise<void>((done) => origin.listen(join(dir, 'origin'), done))
  proxy = createProxy({
    id: 'a'.repeat(32),
    policy: () => ({ open: false, allow: ['ok.example'], registries: [] }),
    audit: openAudit(dir, { now: () => new Date(0) }),
    resolve: async () => ['93.184.216.34'],
    dial: () => connect(join(dir, 'origin')),
    now: () => new Date(0),
    counted: () => () => undefined,
  })
  await new Promise<void>((done) => proxy.listen(join(dir, 'proxy'), done))
})
afterEach(() => {
  proxy.closeAllConnections()
  proxy.close()
  origin.close()
  rmSync(dir, { recursive: true, force: true })
})

async function tunnel(host: string): Promise<Socket> {
  const socket = connect(join(dir, 'proxy'))
  socket.on('error', () => undefined)
  socket.write(`CONNECT ${host}:443 HTTP/1.1\r\n\r\n`)
  await new Promise((resolve) => socket.once('data', resolve))
  return socket
}
const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve))

describe('a tunnel', () => {
  it('E9: ends when its TLS greeting names another host than the one that was judged, before a byte arrives', async () => {
    const socket = await tunnel('ok.example')
    const client = connectTls({ socket, servername: 'other.example' })
    client.on('error', () => undefined)
    await closed(socket)
    expect(arrived).toEqual([])
    expect(readFileSync(join(dir, 'audit.jsonl'), 'utf8')).toContain('"decision":"deny","reason":"name"')
  })

  it('carries a greeting that names its host, and what is no greeting at all', async () => {
    const named = await tunnel('OK.example.')
    connectTls({ socket: named, servername: 'ok.example' }).on('error', () => undefined)
    await expect.poll(() => Buffer.concat(arrived)[0]).toBe(0x16)
    arrived = []
    const other = await tunnel('ok.example')
    other.write('hello')
    await expect.poll(() => Buffer.concat(arrived).toString()).toBe('hello')
    named.destroy()
    other.destroy()
  })
})
