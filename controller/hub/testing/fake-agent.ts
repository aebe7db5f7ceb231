import { mkdirSync } from 'node:fs'
import http2, { type ServerHttp2Stream } from 'node:http2'
import path from 'node:path'
import type tls from 'node:tls'
import { dial } from '@/agent/calls'
import { Enrolment, type Identity } from '@/agent/enrol'
import { systemClock } from '@/kit/clock'
import { type SyncAnswer, type SyncRequest, syncRequest } from '@/protocol/sync'
import { TUNNEL_ALPN } from '@/protocol/version'
import { inventoryOf } from '@/testing/candidates'
import { type HubWorld, log } from './hub-world'

/** What a fake agent says to a sync: any text with any status. */
export type Reply = { status?: number; text: string }
export type FakeAgent = { socket: tls.TLSSocket; identity: Identity; closed: Promise<void> }

let count = 0

type More = {
  /** What its stream of changes says. */
  changes?: string
  /** Answers anything but a sync. */
  onCall?: (path: string, body: unknown, stream: ServerHttp2Stream) => void
}

/** An enrolled machine whose answers the test writes. */
export async function fakeAgent(
  world: HubWorld,
  reply: (request: SyncRequest) => Reply,
  { changes = '', onCall }: More = {},
): Promise<FakeAgent> {
  const folder = path.join(world.folder, `fake-${count++}`)
  mkdirSync(folder)
  const joinToken = await world.hub.mintJoinToken(world.machine)
  const identity = await new Enrolment({ folder, socket: world.socket, joinToken, clock: systemClock, log }).identity()
  const socket = await dial({ socket: world.socket, ca: identity.ca, identity }, TUNNEL_ALPN, AbortSignal.timeout(20_000))
  const server = http2.createServer()
  server.on('session', (session) => session.on('error', () => undefined))
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined)
    if (headers[':path'] === '/v1/changes') {
      stream.respond({ ':status': 200 })
      stream.write(changes)
      return
    }
    const parts: Buffer[] = []
    stream.on('data', (part: Buffer) => parts.push(part))
    stream.on('end', () => {
      const path = String(headers[':path'])
      const body: unknown = JSON.parse(Buffer.concat(parts).toString())
      if (path !== '/v1/sync' && onCall) return onCall(path, body, stream)
      const { status = 200, text } = reply(syncRequest.parse(body))
      stream.respond({ ':status': status })
      stream.end(text)
    })
  })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  server.emit('connection', socket)
  return { socket, identity, closed }
}

/** An answer as an honest agent gives it. */
export function honest({ protocol, machineGen }: SyncRequest, change: Partial<SyncAnswer> = {}): SyncAnswer {
  const use = { cpu: 0.5, memoryBytes: 1, diskFreeBytes: 1 }
  return { protocol, machineGen, bootId: 'boot-9', instances: [], inventory: inventoryOf({ hostname: 'honest' }), use, ...change }
}
