import { subscribe } from 'node:diagnostics_channel'
import { Server } from 'node:http'
import type { Socket } from 'node:net'

const ANSWER = 'HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'

/**
 * Answers each upgrade on this port and closes its connection: the dashboard serves none. Next, whose server it is, says
 * nothing to one that it does not know and keeps the socket for ever, beyond every time limit of requests.
 */
export function refuseUpgrades(port: number): void {
  const served = new WeakSet<Server>()
  subscribe('net.server.socket', (message) => {
    const { socket } = message as { socket: Socket & { server?: unknown } }
    const { server, localPort } = socket
    if (localPort !== port || !(server instanceof Server) || served.has(server)) return
    served.add(server)
    server.on('upgrade', (_request, upgraded) => {
      upgraded.on('error', () => undefined)
      upgraded.end(ANSWER, () => upgraded.destroy())
    })
  })
}
