import { once } from 'node:events'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { freePortPair } from '@/testing/free-ports'
import { until } from '@/testing/until'
import { TerminalConnection } from './connection'

let port: number
let gateway: WebSocketServer
const connections: TerminalConnection[] = []
beforeEach(async () => {
  port = await freePortPair()
  gateway = new WebSocketServer({ host: '127.0.0.1', port: port + 1 })
  await once(gateway, 'listening')
})
afterEach(() => {
  for (const connection of connections.splice(0)) connection.leave()
  for (const socket of gateway.clients) socket.terminate()
  gateway.close()
})

function connect(ticket: () => Promise<string>): TerminalConnection {
  const connection = new TerminalConnection({
    ...{ port, mode: 'control', isTaking: false, size: { cols: 80, rows: 24 }, ticket, isFinal: () => false },
    draw: () => undefined,
    hear: () => undefined,
    reach: () => undefined,
  })
  connections.push(connection)
  return connection
}

/** The next window at the gateway, once it has said hello; `said` is all that it says. */
async function greeted(): Promise<{ socket: WebSocket; said: Record<string, unknown>[] }> {
  const [socket]: WebSocket[] = await once(gateway, 'connection')
  const said: Record<string, unknown>[] = []
  socket?.on('message', (data) => said.push(JSON.parse(String(data))))
  await until('it says hello', () => said.length > 0)
  return { socket: socket ?? expect.fail(), said }
}

it('tells a size that changed while it connected, the first time and again', async () => {
  const connection = connect(async () => 'ticket')
  for (const cols of [90, 100]) {
    const { socket, said } = await greeted()
    connection.resize({ cols, rows: 30 })
    socket.send(JSON.stringify({ type: 'attached', mode: 'control', controllerGen: 1, workloadGen: 1 }))
    // The gateway hears nothing of what is said before it has let a window in.
    const from = said.length
    await until('the size is told', () => said.slice(from).some((one) => one.type === 'resize' && one.cols === cols))
    socket.close(4503)
  }
})

it('asks for no other ticket once it was left, whatever became of the one that it waits for', async () => {
  let refuse = (_: Error) => {}
  let asked = 0
  const connection = connect(() => {
    asked += 1
    return new Promise((_, reject) => {
      refuse = reject
    })
  })
  connection.leave()
  refuse(new Error('Berth is away'))
  expect(await connection.ended).toBe('left')
  let tries = 0
  connect(async () => {
    tries += 1
    throw new Error('Berth is away')
  })
  // It tries at the same pace as the first would.
  await until('another one has tried again and again', () => tries > 2)
  expect(asked).toBe(1)
})
