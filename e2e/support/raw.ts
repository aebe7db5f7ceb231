// Requests as no browser and no client library would send them.
import { connect } from 'node:net'

/** Sends these bytes to a port of 127.0.0.1; resolves with all that came back once the other side closed or was quiet for `quietMs`. */
export function sendRaw(port: number, bytes: string, quietMs = 1500): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.setTimeout(quietMs, () => socket.destroy())
    socket.on('data', (piece) => {
      answer += piece.toString('latin1')
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(answer))
  })
}

/** The head of a request, with its empty line. */
export function head(line: string, headers: Record<string, string>): string {
  const rows = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${line} HTTP/1.1\r\n${rows.join('')}\r\n`
}
