import { describe, expect, it } from 'vitest'
import { TerminalConnection } from './connection'
import type { TerminalSocket } from './terminal-socket'
import { typeWhenFree } from './type-when-free'

/** A connection over a socket in memory: what it says is kept, what the gateway says is put in. */
function open() {
  const said: { type: string }[] = []
  const socket: TerminalSocket = {
    binaryType: 'arraybuffer',
    bufferedAmount: 0,
    send: (data) => typeof data === 'string' && said.push(JSON.parse(data)),
    close: () => undefined,
    onopen: null,
    onmessage: null,
    onclose: null,
    onerror: null,
  }
  const connection = new TerminalConnection({
    url: 'ws://io.test/terminal',
    getTicket: async () => 'ticket',
    mode: 'control',
    cols: 80,
    rows: 24,
    openSocket: () => socket,
  })
  typeWhenFree(connection)
  const hear = (message: object) => socket.onmessage?.({ data: JSON.stringify(message) })
  const claims = () => said.filter((message) => message.type === 'claim').length
  return { connection, socket, hear, claims }
}

async function attached(mode: 'control' | 'view') {
  const parts = open()
  parts.connection.connect()
  await Promise.resolve()
  await Promise.resolve()
  parts.socket.onopen?.()
  parts.hear({ type: 'attached', mode, controllerGen: 3, workloadGen: 1 })
  return parts
}

describe('a window that came to type', () => {
  it('types once nobody does', async () => {
    const { connection, hear, claims } = await attached('view')
    hear({ type: 'presence', viewers: 0, controller: 'Jonas' })
    expect(claims()).toBe(0)
    hear({ type: 'presence', viewers: 0, controller: null })
    expect(claims()).toBe(1)
    connection.close()
  })

  it('asks no more after it had control', async () => {
    const { connection, hear, claims } = await attached('control')
    hear({ type: 'control_changed', mode: 'view', controllerGen: 4 })
    hear({ type: 'presence', viewers: 0, controller: null })
    expect(claims()).toBe(0)
    connection.close()
  })

  it('asks no more after it lost a claim', async () => {
    const { connection, hear, claims } = await attached('view')
    hear({ type: 'presence', viewers: 0, controller: null })
    hear({ type: 'stale', controllerGen: 5 })
    hear({ type: 'presence', viewers: 0, controller: null })
    expect(claims()).toBe(1)
    connection.close()
  })
})
