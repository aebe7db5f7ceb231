import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import type { TestGateway } from './gateway'

/** Every value of each header, by its lower-case name. */
export function pairs(rawHeaders: readonly string[]): Record<string, string[]> {
  const all: Record<string, string[]> = {}
  rawHeaders.forEach((name, index) => {
    if (index % 2 === 0) all[name.toLowerCase()] = [...(all[name.toLowerCase()] ?? []), rawHeaders[index + 1] ?? '']
  })
  return all
}

/** Downloads without keeping what comes; resolves with how much it was. */
export function countBytes(
  test: Pick<TestGateway, 'port'>,
  asked: { host: string; path: string; cookie: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { host: asked.host, cookie: asked.cookie }
    const request = httpRequest({ host: '127.0.0.1', port: test.port, path: asked.path, headers }, (answer) => {
      let bytes = 0
      answer.on('data', (piece: Buffer) => {
        bytes += piece.byteLength
      })
      answer.on('end', () => resolve(bytes))
      answer.on('error', reject)
    })
    request.on('error', reject)
    request.end()
  })
}

/** Sends bytes as they are and returns what comes back, up to the end of the answer's headers or of the connection. */
export function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    // Not ended here: a server gives up on a request whose client has hung up, and that would look like a refusal.
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'))
    let answer = ''
    socket.on('data', (piece: Buffer) => {
      answer += piece.toString('latin1')
      if (answer.includes('\r\n\r\n')) socket.destroy()
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
  })
}

/** Sends bytes and leaves at once. */
export function hangUp(port: number, text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1', () => socket.destroy()))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
  })
}

/** An upgrade whose answer is read as bytes. */
export function rawUpgrade(port: number, asked: { host: string; path: string; cookie: string }): Promise<string> {
  const head = [
    `GET ${asked.path} HTTP/1.1`,
    `Host: ${asked.host}`,
    `Origin: http://${asked.host}`,
    `Cookie: ${asked.cookie}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ]
  return raw(port, `${head.join('\r\n')}\r\n\r\n`)
}
