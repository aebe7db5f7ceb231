import { connect, createServer, type Server, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { PORT_CLOSED, PORT_OPEN, readPort } from '@/protocol/ports'
import { listenOn } from './relay'

const ASK_MS = 5000
/** A server that listens on "localhost" may have taken either family. */
const HOSTS = ['127.0.0.1', '::1']

/**
 * The `ports` door: the first line of each connection names a port inside the namespace, and what follows is carried
 * there. `reserved` ports have a way of their own and are not given away here.
 */
export async function openPortsDoor(path: string, reserved: readonly number[]): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (client) => {
    client.on('error', () => client.destroy())
    void lead(client, reserved)
  })
  await listenOn(server, { path })
  return server
}

async function lead(client: Socket, reserved: readonly number[]): Promise<void> {
  const port = await readPort(client, AbortSignal.timeout(ASK_MS))
  const target = port === null || reserved.includes(port) ? null : await reach(port)
  if (target === null || client.destroyed) {
    target?.destroy()
    client.end(PORT_CLOSED)
    client.resume()
    return
  }
  client.write(PORT_OPEN)
  const end = (error: unknown) => {
    if (!error) return
    client.destroy()
    target.destroy()
  }
  pipeline(client, target, end)
  pipeline(target, client, end)
}

async function reach(port: number): Promise<Socket | null> {
  for (const host of HOSTS) {
    const socket = await tried(host, port)
    if (socket) return socket
  }
  return null
}

function tried(host: string, port: number): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, allowHalfOpen: true })
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(null))
  })
}
