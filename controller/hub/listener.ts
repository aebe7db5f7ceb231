import { chmod, lstat, rm } from 'node:fs/promises'
import net from 'node:net'
import tls, { type TLSSocket } from 'node:tls'
import type { Log } from '@/kit/log'
import { TUNNEL_ALPN } from '@/protocol/version'
import type { Authority } from './authority'

export type Listener = { close(): Promise<void> }

type ListenerDeps = {
  authority: Authority
  log: Log
  /** Takes a connection that speaks the tunnel's protocol; who is at its end is not known yet. */
  onTunnel: (socket: TLSSocket) => void
  /** Takes every other connection: HTTP/1.1. */
  onCall: (socket: TLSSocket) => void
}

const CONNECTIONS_MAX = 4096
const HANDSHAKE_MS = 10_000

/**
 * Listens for agents on a Unix socket (0600) with TLS 1.3. A client certificate is asked for and not required: a machine
 * that enrols has none. A socket that somebody answers on is another controller's and is left to it.
 */
export async function listenForAgents(socketPath: string, deps: ListenerDeps): Promise<Listener> {
  await clearStaleSocket(socketPath)
  const sockets = new Set<net.Socket>()
  const server = tls.createServer({
    ...(await deps.authority.serverCredentials()),
    ca: deps.authority.pem,
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.3',
    ALPNProtocols: [TUNNEL_ALPN, 'http/1.1'],
    handshakeTimeout: HANDSHAKE_MS,
  })
  server.maxConnections = CONNECTIONS_MAX
  server.on('connection', (socket: net.Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('secureConnection', (socket) => {
    socket.on('error', (error) => deps.log.debug('agent connection failed', { error }))
    if (socket.alpnProtocol === TUNNEL_ALPN) deps.onTunnel(socket)
    else deps.onCall(socket)
  })
  server.on('tlsClientError', (error) => deps.log.debug('agent handshake failed', { error }))
  await listening(server, socketPath)
  await chmod(socketPath, 0o600)
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

/** A socket on which nobody answers is left over from a process that was killed. */
async function clearStaleSocket(path: string): Promise<void> {
  const answer = await new Promise<string>((resolve) => {
    const probe = net.connect({ path })
    probe.once('connect', () => {
      probe.destroy()
      resolve('taken')
    })
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
  })
  if (answer === 'taken') throw new Error(`${path} is served by another controller`)
  if (answer === 'ECONNREFUSED' && (await lstat(path)).isSocket()) await rm(path, { force: true })
}

function listening(server: net.Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ path }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}
