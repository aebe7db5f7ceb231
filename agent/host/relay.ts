import { chmodSync, rmSync } from 'node:fs'
import type { NetConnectOpts, Server, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'

export type Door = { path: string } | { host: string; port: number }

/**
 * Listens on one side of a namespace's border and carries each connection to the other, both directions on their own:
 * a half-closed stream stays half open. `received` is told the bytes that came back.
 */
export async function openRelay(from: Door, to: Door, received?: (bytes: number) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const target = connect({ ...to, allowHalfOpen: true } as NetConnectOpts)
    if (received) target.on('data', (chunk: Buffer) => received(chunk.byteLength))
    join(client, target)
  })
  await listenOn(server, from)
  return server
}

/** Joins two sockets; when one breaks the other is closed too. */
function join(a: Socket, b: Socket): void {
  const end = (error: unknown) => {
    if (!error) return
    a.destroy()
    b.destroy()
  }
  pipeline(a, b, end)
  pipeline(b, a, end)
}

/** Listens; a socket file of an earlier process is replaced and only its owner may connect. */
export async function listenOn(server: Server, door: Door): Promise<void> {
  if ('path' in door) rmSync(door.path, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(door, () => {
      server.off('error', reject)
      resolve()
    })
  })
  if ('path' in door) chmodSync(door.path, 0o600)
}
