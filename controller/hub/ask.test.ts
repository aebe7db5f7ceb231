import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import http2, { type ServerHttp2Stream } from 'node:http2'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { dial } from '@/agent/calls'
import { systemClock } from '@/kit/clock'
import { TUNNEL_ALPN } from '@/protocol/version'
import { until } from '@/testing/until'
import { AnswerBody } from './answer-body'
import { Authority, authorityCertificate } from './authority'
import { AgentConnection, TUNNEL_TIMING } from './connection'
import { listenForAgents } from './listener'
import { log } from './testing/hub-world'
import { TunnelSocket } from './tunnel-socket'

const never = new AbortController().signal
const cut = (body: Readable) => expect(text(body)).rejects.toThrow(/cut short/)
const closers: (() => unknown)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const close of closers.splice(0).reverse()) await close()
})

/** A tunnel whose other end answers as the test says. */
async function tunnel(answer: (stream: ServerHttp2Stream) => void, connectMs = TUNNEL_TIMING.connectMs) {
  const folder = mkdtempSync(path.join(tmpdir(), 'berth-ask-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const authority = new Authority({ pem: await authorityCertificate(keys, systemClock), keys, clock: systemClock })
  const file = path.join(folder, 'a.sock')
  let onTunnel: (socket: TLSSocket) => void = () => undefined
  const accepted = new Promise<TLSSocket>((resolve) => {
    onTunnel = resolve
  })
  const listener = await listenForAgents(file, { authority, log, onTunnel: (s) => onTunnel(s), onCall: (s) => s.destroy() })
  closers.push(() => listener.close())
  const server = http2.createServer()
  server.on('session', (session) => session.on('error', () => undefined))
  server.on('stream', (stream) => {
    stream.on('error', () => undefined)
    answer(stream)
  })
  const socket = await dial({ socket: file, ca: authority.pem }, TUNNEL_ALPN, never)
  closers.push(() => socket.destroy())
  server.emit('connection', socket)
  const connection = await AgentConnection.open(await accepted, { ...TUNNEL_TIMING, connectMs })
  closers.push(() => connection.close())
  const ask = (change: { bytesMax?: number; quietMs?: number | null } = {}, signal = never) =>
    connection.ask({ path: '/v1/read', body: {}, machine: 'box', bytesMax: 2 ** 20, quietMs: null, ...change }, signal)
  return { connection, socket, ask }
}

describe('a question to an agent', () => {
  it('is answered by a stream', async () => {
    const { ask } = await tunnel((stream) => {
      stream.respond({ ':status': 200, 'x-kept': 'yes' })
      stream.end('all of it')
    })
    const { status, headers, body } = await ask()
    expect([status, headers['x-kept'], await text(body)]).toEqual([200, 'yes', 'all of it'])
  })

  it.each<[string, { bytesMax?: number; quietMs?: number }, (stream: ServerHttp2Stream) => void, RegExp]>([
    ['is too long', { bytesMax: 10 }, (s) => s.end('eleven byte'), /more than 10 bytes/],
    ['stands still', { quietMs: 50 }, (s) => s.write('half'), /no byte of the answer for 50 ms/],
    ['is cut', {}, (s) => s.write('half', () => s.destroy(new Error('broke'))), /cut short|tunnel failed/],
  ])('ends in an error when its answer %s', async (...[, bounds, answer, message]) => {
    const { ask } = await tunnel((stream) => {
      stream.respond({ ':status': 200 })
      answer(stream)
    })
    const { body } = await ask(bounds)
    await expect(text(body)).rejects.toThrow(message)
  })

  it('ends in an error when its tunnel is lost', async () => {
    const { ask, socket } = await tunnel((stream) => {
      stream.respond({ ':status': 200 })
      stream.write('half')
    })
    const { body } = await ask()
    await once(body, 'readable')
    socket.destroy()
    await expect(text(body)).rejects.toThrow(/cut short|tunnel failed/)
  })

  it('does not take a slow reader for a silent machine', async () => {
    const { ask } = await tunnel((stream) => {
      stream.respond({ ':status': 200 })
      stream.end('x'.repeat(200_000))
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { body } = await ask({ quietMs: 20 })
    body.once('readable', () => undefined)
    await until('the reader is behind', () => body.readableLength >= body.readableHighWaterMark)
    vi.advanceTimersByTime(60)
    vi.useRealTimers()
    expect((await text(body)).length).toBe(200_000)
  })

  it.each<[string, (stream: ServerHttp2Stream) => void, (body: Readable) => Promise<unknown>]>([
    ['whole', (s) => s.respond({ ':status': 404 }, { endStream: true }), (body) => expect(text(body)).resolves.toBe('')],
    ['a cut', (s) => s.write('half', () => s.destroy(new Error('broke'))), cut],
  ])('hears of the end of its answer also when that came with its head: %s', async (_, answer, expected) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'berth-ended-'))
    const file = path.join(folder, 'h2.sock')
    const server = http2.createServer()
    server.on('stream', (stream) => {
      stream.on('error', () => undefined)
      answer(stream)
    })
    await once(server.listen(file), 'listening')
    const session = http2.connect('http://agent', { createConnection: () => net.connect(file) })
    const stream = session.request({ ':method': 'POST', ':path': '/v1/read' }, { endStream: true })
    stream.on('error', () => undefined)
    await new Promise((resolve) => stream.once('close', resolve))
    await expected(new AnswerBody(stream, { bytesMax: 100, quietMs: null, letGo: () => undefined }))
    if (stream.rstCode) await cut(new TunnelSocket(stream))
    session.destroy()
    server.close()
    rmSync(folder, { recursive: true })
  })

  it('is unreachable when the agent does not answer, and leaves the tunnel as it is', async () => {
    const { ask, connection } = await tunnel(() => undefined, 200)
    await expect(ask()).rejects.toMatchObject({ code: 'unreachable', args: { machine: 'box' } })
    expect(connection.isOpen).toBe(true)
    connection.close()
    await expect(ask()).rejects.toMatchObject({ code: 'unreachable' })
  })

  it('L3: takes no more readers than a machine serves, and gives up those that left without flooding it with resets', async () => {
    const open = new Set<ServerHttp2Stream>()
    const { ask, connection } = await tunnel((stream) => {
      open.add(stream)
      stream.once('close', () => open.delete(stream))
      stream.respond({ ':status': 200 })
      stream.write('x')
    })
    const leaving = new AbortController()
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask({}, leaving.signal)))
    await expect(ask()).rejects.toMatchObject({ code: 'over_limit' })
    for (const { body } of answers) body.on('error', () => undefined)
    leaving.abort(new Error('left'))
    await until('all are over', () => open.size === 0)
    expect(connection.isOpen).toBe(true)
    const { body } = await ask()
    body.destroy()
  })
})
