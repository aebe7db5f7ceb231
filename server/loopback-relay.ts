import { connect, createServer, type Server, type Socket } from 'node:net'

const NO_IPV6 = ['EADDRNOTAVAIL', 'EAFNOSUPPORT']

/**
 * Holds `[::1]:port` and passes its connections to `127.0.0.1:port`, where Next listens: another user of this machine
 * could otherwise take the other loopback family. Null on a machine without IPv6. Throws one sentence when it is taken.
 */
export async function relayIpv6Loopback(port: number): Promise<Server | null> {
  const server = createServer({ allowHalfOpen: true }, (client) => pass(client, port))
  const code = await listen(server, port)
  if (code === null) return server
  if (NO_IPV6.includes(code)) return null
  throw new Error(
    code === 'EADDRINUSE'
      ? `port ${port} on [::1] is in use by another program; stop it, or set BERTH_PORT to the first of two free ports`
      : `port ${port} on [::1] cannot be used (${code})`,
  )
}

/** Resolves with null once it listens, else with the code of the failure. */
function listen(server: Server, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    server.listen({ port, host: '::1', exclusive: true }, () => resolve(null))
  })
}

function pass(client: Socket, port: number): void {
  const upstream = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  client.pipe(upstream).pipe(client)
  // A side that breaks takes the other one with it; there is nobody left to tell.
  client.on('error', () => upstream.destroy())
  upstream.on('error', () => client.destroy())
  client.on('close', () => upstream.destroy())
  upstream.on('close', () => client.destroy())
}
