// Looks whether Berth's two ports are free, on both loopback families, before anything slow begins.
import { createServer } from 'node:net'
import { StartError } from './places.mjs'

/** The first of the two ports. Throws one sentence for anything but a port. */
export function firstPort(environment = process.env) {
  const text = environment.BERTH_PORT ?? '7480'
  const port = Number(text)
  if (!/^\d+$/.test(text) || port < 1024 || port > 65_534)
    throw new StartError(`BERTH_PORT: a port from 1024 to 65534, not ${text}`)
  return port
}

/** Throws one sentence when `port` or the next one is taken on 127.0.0.1 or [::1]. A machine without IPv6 has only the first. */
export async function requireFreePorts(port) {
  for (const wanted of [port, port + 1]) {
    for (const host of ['127.0.0.1', '::1']) {
      const code = await bindError(wanted, host)
      if (code === 'EADDRINUSE') {
        throw new StartError(
          `port ${wanted} on ${host} is in use by another program (or another Berth); stop it, or set BERTH_PORT to the first of two free ports`,
        )
      }
      if (code === 'EACCES') throw new StartError(`port ${wanted} on ${host} may not be used by you; set BERTH_PORT to another`)
    }
  }
}

function bindError(port, host) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(error.code))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)))
  })
}
