import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Duplex } from 'node:stream'
import { v7 as uuidv7 } from 'uuid'
import { WebSocketServer } from 'ws'

/** A workload's web server on a Unix socket, friendly and hostile, that remembers what reached it. Its sockets echo bytes and answer text with the headers that they came with. */
export type Origin = {
  socketPath: string
  /** What was asked, as `METHOD url`, upgrades as `UPGRADE url`. */
  seen: string[]
  /** Requests whose client went away. */
  aborted: number
  /** Upgraded sockets that are open. */
  open: Set<Duplex>
  close(): Promise<void>
}

type Route = (request: IncomingMessage, response: ServerResponse, origin: Origin) => void

const ROUTES: Record<string, Route> = {
  '/headers': (request, response) => json(response, { rawHeaders: request.rawHeaders, method: request.method, url: request.url }),
  '/dies': (_request, response) => {
    response.writeHead(200, { 'content-length': 1000 })
    response.write('half of it', () => response.destroy())
  },
  '/dies-chunked': (_request, response) => {
    response.write('half of it', () => response.destroy())
  },
  '/redirect': (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:22/' }).end(),
  '/stream': (_request, response, origin) => {
    response.write('data: first\n\n')
    response.on('close', () => {
      origin.aborted++
    })
  },
  '/count': (request, response) => {
    let bytes = 0
    request.on('data', (piece: Buffer) => {
      bytes += piece.byteLength
    })
    request.on('end', () => json(response, { bytes }))
  },
  '/early': (_request, response) => response.writeHead(413).end('too much'),
  '/large': (_request, response) => {
    response.writeHead(200, { 'content-length': LARGE_BYTES })
    sendLarge(response, LARGE_BYTES)
  },
  '/hostile': (_request, response) => {
    for (const [name, value] of HOSTILE) response.appendHeader(name, value)
    response.appendHeader('set-cookie', HOSTILE_COOKIES)
    response.end('hostile')
  },
}
export const LARGE_BYTES = 64 * 2 ** 20

const HOSTILE = [
  ['strict-transport-security', 'max-age=63072000; includeSubDomains'],
  ['alt-svc', 'h2=":443"; ma=86400'],
  ['public-key-pins', 'pin-sha256="x"'],
  ['service-worker-allowed', '/'],
  ['connection', 'x-secret-hop'],
  ['x-secret-hop', '1'],
  ['content-security-policy', "default-src 'self'"],
  ['cross-origin-resource-policy', 'cross-origin'],
  ['x-app', 'kept'],
] as const

/** Cookies that try to reach beyond their host or to pass for Berth's own, and two honest ones. */
const HOSTILE_COOKIES: string[] = [
  'honest=1; Path=/; HttpOnly',
  '__Host-berth_app=evil; Path=/; Secure',
  '__host-BERTH_app=evil; Path=/; Secure',
  '__Secure-berth_session=evil; Secure',
  ' __Host-berth_pre=evil; Path=/; Secure',
  '=__Host-berth_app=evil; Path=/; Secure',
  '__Host-berth_app; Path=/; Secure',
  'wide=1; Domain=localhost; Path=/',
  'wider=1; domain = .localhost',
  'twice=1; Domain=a.localhost; Domain=localhost',
  `huge=${'x'.repeat(5000)}`,
  ...Array.from({ length: 90 }, (_, i) => `many${i}=1`),
  'late=1',
]

export async function startOrigin(): Promise<Origin> {
  const socketPath = path.join(tmpdir(), `origin-${uuidv7()}.sock`)
  const sockets = new WebSocketServer({ noServer: true })
  const server = createServer((request, response) => {
    origin.seen.push(`${request.method} ${request.url}`)
    const route = ROUTES[(request.url ?? '').split('?', 1)[0] ?? '']
    if (route) route(request, response, origin)
    else response.end(`served ${request.url}`)
  })
  const origin: Origin = {
    socketPath,
    seen: [],
    aborted: 0,
    open: new Set(),
    close: async () => {
      for (const socket of origin.open) socket.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    origin.seen.push(`UPGRADE ${request.url}`)
    origin.open.add(socket)
    socket.on('close', () => origin.open.delete(socket))
    if (request.url === '/no-upgrade') {
      socket.end('HTTP/1.1 400 Bad Request\r\nset-cookie: __Host-berth_app=evil\r\ncontent-length: 2\r\n\r\nno')
      return
    }
    sockets.handleUpgrade(request, socket, head, (ws) => {
      ws.on('message', (data, isBinary) => {
        if (isBinary) ws.send(data, { binary: true })
        else ws.send(JSON.stringify(request.rawHeaders))
      })
    })
  })
  sockets.on('headers', (headers) => headers.push('set-cookie: __Host-berth_app=evil', 'alt-svc: h2=":443"'))
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  return origin
}

function json(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(value))
}

function sendLarge(response: ServerResponse, bytes: number): void {
  const piece = Buffer.alloc(Math.min(65_536, bytes), 7)
  if (bytes <= 0) response.end()
  else if (response.write(piece)) setImmediate(() => sendLarge(response, bytes - piece.byteLength))
  else response.once('drain', () => sendLarge(response, bytes - piece.byteLength))
}
