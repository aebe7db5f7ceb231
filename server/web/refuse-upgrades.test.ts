import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, it } from 'vitest'
import { refuseUpgrades } from './refuse-upgrades'

const head = (more: string) => `GET /x HTTP/1.1\r\nhost: berth.localhost\r\n${more}\r\n`
const UPGRADE = 'connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n'

/** All that came back on one connection until the other side closed it. */
async function sent(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
  let answer = ''
  socket.on('data', (data) => (answer += String(data)))
  await once(socket, 'close')
  return answer
}

it('T5, L1: an upgrade of the dashboard is answered and closed, and requests are served as before', async () => {
  const server = createServer((_request, response) => response.end('served'))
  // As Next does: it listens, and says nothing.
  server.on('upgrade', () => undefined)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  refuseUpgrades(port)
  expect(await sent(port, head(UPGRADE))).toMatch(/^HTTP\/1\.1 404 /)
  expect(await sent(port, head('connection: close\r\n'))).toContain('served')
  expect(await sent(port, head(UPGRADE))).toMatch(/^HTTP\/1\.1 404 /)
  expect(server.listenerCount('upgrade')).toBe(2)
  server.close()
})
