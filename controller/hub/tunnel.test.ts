import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Duplex, PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import { v7 as uuidv7 } from 'uuid'
import { afterEach, describe, expect, it } from 'vitest'
import { dial } from '@/agent/calls'
import type { OpenDoor } from '@/agent/doors'
import { TunnelServer, type TunnelServerDeps } from '@/agent/tunnel-server'
import { systemClock } from '@/kit/clock'
import { TUNNEL_ALPN } from '@/protocol/version'
import { until } from '@/testing/until'
import { Authority, authorityCertificate } from './authority'
import { AgentConnection, TUNNEL_TIMING, type TunnelTiming } from './connection'
import { listenForAgents } from './listener'
import { log } from './testing/hub-world'

const never = new AbortController().signal
const MACHINE = 'box'
const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Both ends of one tunnel over a real socket with real TLS. */
async function tunnel(agent: Partial<TunnelServerDeps>, timing: Partial<TunnelTiming> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'berth-tunnel-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const authority = new Authority({ pem: await authorityCertificate(keys, systemClock), keys, clock: systemClock })
  const socket = path.join(folder, 'a.sock')
  let onTunnel: (socket: TLSSocket) => void = () => undefined
  const accepted = new Promise<TLSSocket>((resolve) => {
    onTunnel = resolve
  })
  const listener = await listenForAgents(socket, { authority, log, onTunnel: (s) => onTunnel(s), onCall: (s) => s.destroy() })
  closers.push(() => listener.close())
  const server = new TunnelServer({
    seen: { count: 0, saw: () => undefined },
    sync: () => Promise.reject(new Error('not in this test')),
    onChange: () => () => undefined,
    openDoor: async () => null,
    read: () => Promise.reject(new Error('not in this test')),
    log,
    ...agent,
  })
  const agentSocket = await dial({ socket, ca: authority.pem }, TUNNEL_ALPN, never)
  const served = server.serve(agentSocket, never)
  const connection = await AgentConnection.open(await accepted, { ...TUNNEL_TIMING, ...timing })
  closers.push(() => connection.close())
  return { connection, agentSocket, served, open: (signal = never) => connection.connect(target(), signal) }
}
const target = () => ({ placementId: uuidv7(), door: 'main' as const, machine: MACHINE })
const echo: OpenDoor = async () => new PassThrough()

/** A door that sends without end. */
const endless: OpenDoor = async () => {
  const chunk = randomBytes(16_384)
  return new Duplex({
    read() {
      this.push(chunk)
    },
    write: (_chunk, _encoding, done) => done(),
  })
}

describe('a tunnel', () => {
  it('carries bytes both ways, whole, and a half-closed stream to its end', async () => {
    const { open } = await tunnel({ openDoor: echo })
    const sent = randomBytes(8 * 2 ** 20)
    const stream = await open()
    const received = buffer(stream)
    stream.end(sent)
    expect((await received).equals(sent)).toBe(true)
  })

  it('moves bulk data in both directions at once', async () => {
    const { open } = await tunnel({ openDoor: echo })
    const sent = randomBytes(4 * 2 ** 20)
    const echoes = Array.from({ length: 12 }, async () => {
      const stream = await open()
      stream.end(sent)
      return (await buffer(stream)).equals(sent)
    })
    expect(await Promise.all(echoes)).not.toContain(false)
  })

  it('M12: leaves the echo of a terminal quick while a download beside it takes all that goes', async () => {
    let opened = 0
    const { open } = await tunnel({ openDoor: (...door) => (opened++ === 0 ? endless : echo)(...door) })
    const [download, terminal] = [await open(), await open()]
    let bytes = 0
    download.on('data', (chunk) => {
      bytes += chunk.length
    })
    const took: number[] = []
    while (took.length < 100 || bytes < 64 * 2 ** 20) {
      const since = performance.now()
      terminal.write('k')
      await once(terminal, 'data')
      took.push(performance.now() - since)
    }
    for (const stream of [download, terminal]) stream.destroy()
    took.sort((a, b) => a - b)
    expect(took[Math.floor(took.length * 0.99)]).toBeLessThan(150)
  })

  it('outlives three thousand aborted streams', async () => {
    let opened = 0
    // One in ten sends without end: only those keep the agent busy until it resets them.
    const { connection, open } = await tunnel({ openDoor: (...door) => (opened++ % 10 === 0 ? endless : echo)(...door) })
    for (let round = 0; round < 30; round++) {
      const streams = await Promise.all(Array.from({ length: 100 }, () => open()))
      for (const stream of streams) stream.destroy()
    }
    expect(opened).toBe(3000)
    expect(connection.isOpen).toBe(true)
    const stream = await open()
    stream.destroy()
  })

  it('makes a cut body an error: the door broke', async () => {
    const door = new PassThrough()
    const { open } = await tunnel({ openDoor: async () => door })
    const stream = await open()
    door.write('half of it')
    await once(stream, 'readable')
    door.destroy(new Error('broke'))
    await expect(buffer(stream)).rejects.toThrow(/tunnel/)
  })

  it('makes a cut body an error: the agent is gone', async () => {
    const door = new PassThrough()
    const { open, agentSocket } = await tunnel({ openDoor: async () => door })
    const stream = await open()
    door.write('half of it')
    await once(stream, 'readable')
    agentSocket.destroy()
    await expect(buffer(stream)).rejects.toThrow(/tunnel/)
  })

  it('fails writes once the agent is gone', async () => {
    const { open, agentSocket } = await tunnel({ openDoor: async () => new PassThrough({ highWaterMark: 1 }) })
    const stream = await open()
    const failed = once(stream, 'error')
    agentSocket.destroy()
    stream.write(randomBytes(4 * 2 ** 20))
    await failed
    expect(stream.destroyed).toBe(true)
  })

  it('says which door is not there, and whose machine is gone', async () => {
    const { connection, open } = await tunnel({
      openDoor: async (id, door) => {
        if (door === 'terminal') throw new Error(`no terminal in ${id}`)
        return null
      },
    })
    await expect(open()).rejects.toMatchObject({ code: 'not_found', args: { what: 'instance' } })
    await expect(connection.connect({ ...target(), door: 'terminal' }, never)).rejects.toMatchObject({
      code: 'not_found',
      args: { what: 'door' },
    })
    connection.close()
    await connection.closed
    await expect(open()).rejects.toMatchObject({ code: 'unreachable', args: { machine: MACHINE } })
  })

  it('lets go of a door that opens too late', async () => {
    const opening = new AbortController()
    const { connection, open } = await tunnel({ openDoor: () => new Promise(() => undefined) })
    const waiting = open(opening.signal)
    opening.abort(new Error('the browser left'))
    await expect(waiting).rejects.toThrow('the browser left')
    expect(connection.isOpen).toBe(true)
  })

  it('refuses more streams than a machine takes, and serves again when some ended', async () => {
    const { open } = await tunnel({ openDoor: echo })
    const streams = await Promise.all(Array.from({ length: 950 }, () => open()))
    await expect(open()).rejects.toMatchObject({ code: 'over_limit' })
    for (const stream of streams) stream.destroy()
    await until('room', () =>
      open().then(
        () => true,
        () => false,
      ),
    )
  })

  it('X23: ends when the agent never answers a call', async () => {
    const { connection } = await tunnel({ sync: () => new Promise(() => undefined) }, { callMs: 100 })
    const body = JSON.stringify({ protocol: 1, machineGen: 1, changes: 0, desired: [] })
    await expect(connection.call('/v1/sync', body, 1000)).rejects.toThrow()
    await connection.closed
  })

  it('answers the controller’s mistakes by status', async () => {
    const { connection } = await tunnel({})
    expect((await connection.call('/v1/other', '{}', 1000)).status).toBe(404)
    expect((await connection.call('/v1/sync', '{}', 1000)).status).toBe(400)
    expect((await connection.call('/v1/sync', 'not json', 1000)).status).toBe(400)
    const other = JSON.stringify({ protocol: 99, machineGen: 1, changes: 0, desired: [] })
    expect((await connection.call('/v1/sync', other, 1000)).status).toBe(409)
  })

  it('refuses an older generation on the agent’s side', async () => {
    const empty = { bootId: 'b', instances: [], inventory: {}, use: {} }
    const { connection } = await tunnel({ sync: async () => empty as never })
    const call = (machineGen: number) =>
      connection.call('/v1/sync', JSON.stringify({ protocol: 1, machineGen, changes: 0, desired: [] }), 1000)
    expect((await call(7)).status).toBe(200)
    expect((await call(6)).status).toBe(409)
  })

  it('sends a line when something changed', async () => {
    const listeners: (() => void)[] = []
    const { connection } = await tunnel({
      onChange: (listener) => {
        listeners.push(listener)
        return () => undefined
      },
    })
    const lines = connection.lines('/v1/changes', 20)
    expect((await lines.next()).value).toBe('0')
    for (let flood = 0; flood < 1000; flood++) for (const listener of listeners) listener()
    expect((await lines.next()).value).toBe('1')
    await lines.return(undefined)
  })
})
